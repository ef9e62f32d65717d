// What tokens did, read out of the messages their contracts took in.

import { jettons, nft, type Payload } from '../../bodies/index.ts'
import {
  type Cell,
  CellError,
  MAX_DEPTH,
  openCell,
  readBoc,
  readingBoc,
  type Slice,
  writingBoc,
} from '../../cell/index.ts'
import { addressKey, isAborted } from '../../facts/index.ts'
import type { AccountKey, KnownToken, OldTransaction, WrittenEvent } from '../../store/index.ts'
import { TlbError } from '../../tlb/index.ts'

const OF_WALLETS: readonly number[] = [jettons.transfer.opcode, jettons.burn.opcode]
export const TOKEN_OPS: readonly number[] = [...OF_WALLETS, nft.transfer.opcode]

/** The kind of contract whose transactions with this operation are events. */
export const kindOfOp = (opcode: number): KnownToken['kind'] =>
  OF_WALLETS.includes(opcode) ? 'jettonWallet' : 'nftItem'

export interface TokenTransaction {
  readonly transaction: OldTransaction
  readonly token: KnownToken
  /** The masterchain block that made its account a token; null when that one is not newer. */
  readonly lateMcSeqno: number | null
}

type EventRows = { readonly [K in keyof WrittenEvent]: WrittenEvent[K][] }

function* bocOrNull(cell: Cell | null): Generator<void, Uint8Array | null> {
  return cell === null ? null : yield* writingBoc(cell)
}

/** Null for an empty one in the body itself, as for none. */
const payloadOrNull = (payload: Payload | null): Generator<void, Uint8Array | null> =>
  bocOrNull(payload === null || (payload.form === 'inline' && payload.open().isEmpty) ? null : payload.cell)

function account(key: AccountKey | null): AccountKey {
  if (key === null) throw new TlbError('value', 'a token goes to an account')
  return key
}

const common = ({ transaction: { hash, lt, now, description, traceId }, lateMcSeqno }: TokenTransaction) => ({
  txHash: hash,
  txLt: lt,
  txNow: now,
  traceId,
  aborted: isAborted(description),
  lateMcSeqno,
})

/** Bytes of a body that is read at once. */
const SHORT = 4096
const LIMITS = { maxDepth: MAX_DEPTH }

/** Behind its operation. */
export function* requestFields({ body }: Pick<OldTransaction, 'body'>): Generator<void, Slice> {
  return openCell(body.length <= SHORT ? readBoc(body, LIMITS) : yield* readingBoc(body, LIMITS)).skip(32)
}

const readTransfer = jettons.transfer.reader(addressKey)
const readBurn = jettons.burn.reader(addressKey)
const readItemTransfer = nft.transfer.reader(addressKey)

type Making<T> = Generator<void, T>

function* jettonTransfer(one: TokenTransaction, jetton: AccountKey): Making<WrittenEvent['jettonTransfers']> {
  const { transaction, token } = one
  const { destination, customPayload, forwardPayload, ...fields } = readTransfer(yield* requestFields(transaction))
  return {
    sourceWallet: token.account,
    jetton,
    source: transaction.source,
    destination: account(destination),
    customPayload: yield* bocOrNull(customPayload),
    forwardPayload: yield* payloadOrNull(forwardPayload),
    ...fields,
    ...common(one),
  }
}

function* jettonBurn(one: TokenTransaction, jetton: AccountKey): Making<WrittenEvent['jettonBurns']> {
  const { transaction, token } = one
  const { customPayload, ...fields } = readBurn(yield* requestFields(transaction))
  return {
    customPayload: yield* bocOrNull(customPayload),
    owner: transaction.source,
    jettonWallet: token.account,
    jetton,
    ...fields,
    ...common(one),
  }
}

function* nftTransfer(one: TokenTransaction): Making<WrittenEvent['nftTransfers']> {
  const { transaction, token } = one
  const { newOwner, customPayload, forwardPayload, ...fields } = readItemTransfer(yield* requestFields(transaction))
  return {
    nft: token.account,
    collection: token.of,
    oldOwner: transaction.source,
    newOwner: account(newOwner),
    customPayload: yield* bocOrNull(customPayload),
    forwardPayload: yield* payloadOrNull(forwardPayload),
    ...fields,
    ...common(one),
  }
}

/** Adds a row, unless the body is no such request. */
function* add<T>(to: T[], row: Making<T>): Generator<void, void> {
  try {
    to.push(yield* row)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
  }
}

/** A body that is no such request gives no row. In pieces: a body may have thousands of cells. */
export function* eventRows(all: readonly TokenTransaction[]): Generator<void, EventRows> {
  const rows: EventRows = { jettonTransfers: [], jettonBurns: [], nftTransfers: [] }
  for (const one of all) {
    yield
    const { token, transaction } = one
    const { of } = token
    if (transaction.opcode === nft.transfer.opcode) yield* add(rows.nftTransfers, nftTransfer(one))
    else if (of !== null && transaction.opcode === jettons.transfer.opcode)
      yield* add(rows.jettonTransfers, jettonTransfer(one, of))
    else if (of !== null && transaction.opcode === jettons.burn.opcode)
      yield* add(rows.jettonBurns, jettonBurn(one, of))
  }
  return rows
}
