// What tokens did, read out of the messages their contracts took in.

import { Builder, type Cell, loadAddress, openCell, readBoc, type Slice, writeBoc } from '../../cell/index.ts'
import { addressKey, isAborted } from '../../facts/index.ts'
import type {
  AccountKey,
  JettonBurnRow,
  JettonTransferRow,
  KnownToken,
  NftTransferRow,
  OldTransaction,
} from '../../store/index.ts'
import { orNull, TlbError } from '../../tlb/index.ts'

const OPS = { jettonTransfer: 0x0f8a7ea5, jettonBurn: 0x595f07bc, nftTransfer: 0x5fcc3d14 } as const
const OF_WALLETS: readonly number[] = [OPS.jettonTransfer, OPS.jettonBurn]
export const TOKEN_OPS: readonly number[] = Object.values(OPS)

/** The kind of contract whose transactions with this operation are events. */
export const kindOfOp = (opcode: number): KnownToken['kind'] =>
  OF_WALLETS.includes(opcode) ? 'jettonWallet' : 'nftItem'

export interface TokenTransaction {
  readonly transaction: OldTransaction
  readonly token: KnownToken
}

export interface EventRows {
  readonly jettonTransfers: JettonTransferRow[]
  readonly jettonBurns: JettonBurnRow[]
  readonly nftTransfers: NftTransferRow[]
}

const WITH_CRC = 2
const bocOrNull = (cell: Cell | null): Uint8Array | null => (cell === null ? null : writeBoc(cell, WITH_CRC))

function loadAccount(slice: Slice): AccountKey {
  const key = addressKey(loadAddress(slice))
  if (key === null) throw new TlbError('value', 'a token goes to an account')
  return key
}

/**
 * `Either Cell ^Cell`, as a cell of its own either way. Null for nothing in place of it: an empty rest, or no bit that
 * says which; there are contracts that take such requests.
 */
function loadPayload(slice: Slice): Cell | null {
  if (slice.remainingBits === 0) return null
  if (slice.loadBit()) return slice.loadRef()
  return slice.remainingBits === 0 && slice.remainingRefs === 0 ? null : new Builder().storeSlice(slice).end()
}

function common({ hash, lt, now, description, traceId }: OldTransaction, body: Slice) {
  return {
    txHash: hash,
    txLt: lt,
    txNow: now,
    traceId,
    aborted: isAborted(description),
    queryId: body.skip(32).loadUintBig(64),
  }
}

const bodyOf = ({ body }: OldTransaction): Slice => openCell(readBoc(body, { maxDepth: 1024 }))

function jettonTransfer({ transaction, token }: TokenTransaction, jetton: AccountKey): JettonTransferRow {
  const body = bodyOf(transaction)
  const head = common(transaction, body)
  const [amount, destination] = [body.loadCoins(), loadAccount(body)]
  const responseDestination = addressKey(loadAddress(body))
  const customPayload = bocOrNull(body.loadMaybeRef())
  const forwardTonAmount = body.loadCoins()
  const forwardPayload = bocOrNull(loadPayload(body))
  return {
    sourceWallet: token.account,
    jetton,
    forwardTonAmount,
    forwardPayload,
    source: transaction.source,
    destination,
    amount,
    responseDestination,
    customPayload,
    ...head,
  }
}

function jettonBurn({ transaction, token }: TokenTransaction, jetton: AccountKey): JettonBurnRow {
  const body = bodyOf(transaction)
  const head = common(transaction, body)
  const amount = body.loadCoins()
  const responseDestination = addressKey(loadAddress(body))
  // Older wallets take burns that end here.
  const customPayload = body.remainingBits === 0 ? null : bocOrNull(body.loadMaybeRef())
  return {
    amount,
    responseDestination,
    customPayload,
    owner: transaction.source,
    jettonWallet: token.account,
    jetton,
    ...head,
  }
}

function nftTransfer({ transaction, token }: TokenTransaction): NftTransferRow {
  const body = bodyOf(transaction)
  const head = common(transaction, body)
  const newOwner = loadAccount(body)
  const responseDestination = addressKey(loadAddress(body))
  const customPayload = bocOrNull(body.loadMaybeRef())
  const forwardAmount = body.loadCoins()
  const forwardPayload = bocOrNull(loadPayload(body))
  return {
    responseDestination,
    customPayload,
    forwardAmount,
    forwardPayload,
    nft: token.account,
    collection: token.of,
    oldOwner: transaction.source,
    newOwner,
    ...head,
  }
}

/** A body that is no such request gives no row. */
export function eventRows(all: readonly TokenTransaction[]): EventRows {
  const rows: EventRows = { jettonTransfers: [], jettonBurns: [], nftTransfers: [] }
  const add = <T>(to: T[], row: T | null): void => {
    if (row !== null) to.push(row)
  }
  for (const one of all) {
    const { token, transaction } = one
    const { of } = token
    if (transaction.opcode === OPS.nftTransfer)
      add(
        rows.nftTransfers,
        orNull(() => nftTransfer(one)),
      )
    else if (of !== null && transaction.opcode === OPS.jettonTransfer)
      add(
        rows.jettonTransfers,
        orNull(() => jettonTransfer(one, of)),
      )
    else if (of !== null && transaction.opcode === OPS.jettonBurn)
      add(
        rows.jettonBurns,
        orNull(() => jettonBurn(one, of)),
      )
  }
  return rows
}
