// Transactions of a pool as a block would show them, made up for what is derived from them.

import { beginCell, type Cell, openCell, writeBoc } from '../../../../server/cell/index.ts'
import { accountKey, type TransactionFacts } from '../../../../server/facts/index.ts'
import type { AccountKey, WrittenMessage } from '../../../../server/store/index.ts'

export const OF_ELECTOR = accountKey(-1, new Uint8Array(32).fill(0x33))
export const OF_POOL = accountKey(-1, new Uint8Array(32).fill(0xbb))

const NOTHING = {
  hashNorm: null,
  valueExtra: {},
  fwdFee: 0n,
  ihrFee: 0n,
  extraFlags: null,
  importFee: null,
  createdLt: 1n,
  createdAt: 1,
  ihrDisabled: true,
  bounce: true,
  initHash: null,
  init: null,
  outTxHash: null,
  outLt: null,
} as const

interface Sent {
  readonly source?: AccountKey
  readonly destination?: AccountKey
  readonly value: bigint
  readonly body: Cell
  readonly bounced?: boolean
}

export const made = ({
  source = OF_ELECTOR,
  destination = OF_POOL,
  value,
  body,
  bounced = false,
}: Sent): WrittenMessage => ({
  ...NOTHING,
  kind: 'internal',
  hash: body.hashBytes(),
  source,
  destination,
  value,
  bounced,
  opcode: body.isExotic || body.bits < 32 ? null : openCell(body).loadInt(32),
  bodyHash: body.hashBytes(),
  body: writeBoc(body, 2),
})

export const incoming = ({
  op,
  queryId,
  ...message
}: Omit<Sent, 'body'> & { readonly op: number; readonly queryId: bigint }): WrittenMessage =>
  made({ ...message, body: beginCell().storeUint(op, 32).storeUint(queryId, 64).end() })

export const transactionOf = (
  inMessage: WrittenMessage,
  outMessages: readonly WrittenMessage[] = [],
): TransactionFacts => ({
  account: OF_POOL,
  hash: new Uint8Array(32).fill(7),
  lt: 83_000_000n,
  now: 1_700_002_341,
  mcSeqno: 9,
  block: { workchain: -1, shard: -(2n ** 63n), seqno: 9 },
  prevHash: new Uint8Array(32),
  prevLt: 0n,
  origStatus: 'active',
  endStatus: 'active',
  totalFees: 0n,
  totalFeesExtra: {},
  description: '{"type":"ord","aborted":false}',
  inMsgHash: inMessage.hash,
  inOpcode: inMessage.opcode,
  inBodyHash: inMessage.bodyHash,
  isSystem: false,
  stateBefore: new Uint8Array(32).fill(1),
  stateAfter: new Uint8Array(32).fill(2),
  inMessage,
  outMessages,
})
