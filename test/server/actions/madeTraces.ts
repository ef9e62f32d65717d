// Traces made by hand: whatever is not said is as it mostly is.

import type { TraceInput, TraceMessage, TraceTransaction } from '../../../server/actions/index.ts'
import { beginCell, type Cell, openCell, writeBoc } from '../../../server/cell/index.ts'

let count = 0
const nextHash = (): string => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(++count)
  return bytes.toString('base64')
}

interface MessageParts {
  readonly source: string | null
  readonly destination: string | null
  readonly body?: Cell
  readonly value?: bigint
  readonly lt?: bigint
  readonly bounce?: boolean
  readonly bounced?: boolean
}

export function message(parts: MessageParts): TraceMessage {
  const {
    source,
    destination,
    body = beginCell().end(),
    value = 1_000_000_000n,
    lt = 1n,
    bounce = true,
    bounced = false,
  } = parts
  const slice = openCell(body)
  const kind = source === null ? 'externalIn' : destination === null ? 'externalOut' : 'internal'
  return {
    hash: nextHash(),
    kind,
    source,
    destination,
    value: kind === 'internal' ? value : null,
    extraCurrencies: {},
    createdLt: kind === 'externalIn' ? null : lt,
    createdAt: kind === 'externalIn' ? null : 1_700_000_000,
    opcode: slice.remainingBits < 32 ? null : slice.preloadUint(32),
    bounce,
    bounced,
    body: writeBoc(body),
    init: null,
  }
}

type TransactionParts = Partial<TraceTransaction> & {
  readonly account: string
  readonly in: TraceMessage | null
}

export function transaction({ in: inMessage, ...parts }: TransactionParts): TraceTransaction {
  return {
    hash: nextHash(),
    lt: (inMessage?.createdLt ?? 0n) + 1n,
    now: 1_700_000_000,
    origStatus: 'active',
    endStatus: 'active',
    aborted: false,
    lackedGas: false,
    exitCode: 0,
    isTickTock: false,
    inMessage,
    outMessages: [],
    ...parts,
  }
}

export function trace(first: TraceTransaction, ...others: readonly TraceTransaction[]): TraceInput {
  const transactions = [first, ...others]
  const lts = transactions.map(({ lt }) => lt)
  return {
    traceId: first.hash,
    externalHash: first.inMessage?.hash ?? null,
    externalHashNorm: null,
    mcSeqnoEnd: 1,
    startLt: first.lt,
    endLt: lts.reduce((most, lt) => (lt > most ? lt : most), first.lt),
    startUtime: first.now,
    endUtime: first.now,
    transactions,
  }
}
