// What tokens did, read out of the messages their contracts took in.

import { jettons, nft, type Payload } from '../../bodies/index.ts'
import { type Cell, MAX_DEPTH, openCell, orNull, readBoc, type Slice, writeBoc } from '../../cell/index.ts'
import { addressKey, isAborted } from '../../facts/index.ts'
import type {
  AccountKey,
  JettonBurnRow,
  JettonTransferRow,
  KnownToken,
  NftTransferRow,
  OldTransaction,
} from '../../store/index.ts'
import { TlbError } from '../../tlb/index.ts'

const OF_WALLETS: readonly number[] = [jettons.transfer.opcode, jettons.burn.opcode]
export const TOKEN_OPS: readonly number[] = [...OF_WALLETS, nft.transfer.opcode]

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

/** Null for an empty one in the body itself, as for none. */
const payloadOrNull = (payload: Payload | null): Uint8Array | null =>
  payload === null || (payload.form === 'inline' && payload.open().isEmpty) ? null : bocOrNull(payload.cell)

function account(key: AccountKey | null): AccountKey {
  if (key === null) throw new TlbError('value', 'a token goes to an account')
  return key
}

const common = ({ hash, lt, now, description, traceId }: OldTransaction) => ({
  txHash: hash,
  txLt: lt,
  txNow: now,
  traceId,
  aborted: isAborted(description),
})

const bodyOf = ({ body }: OldTransaction): Slice => openCell(readBoc(body, { maxDepth: MAX_DEPTH })).skip(32)

const readTransfer = jettons.transfer.reader(addressKey)
const readBurn = jettons.burn.reader(addressKey)
const readItemTransfer = nft.transfer.reader(addressKey)

function jettonTransfer({ transaction, token }: TokenTransaction, jetton: AccountKey): JettonTransferRow {
  const { destination, customPayload, forwardPayload, ...fields } = readTransfer(bodyOf(transaction))
  return {
    sourceWallet: token.account,
    jetton,
    source: transaction.source,
    destination: account(destination),
    customPayload: bocOrNull(customPayload),
    forwardPayload: payloadOrNull(forwardPayload),
    ...fields,
    ...common(transaction),
  }
}

function jettonBurn({ transaction, token }: TokenTransaction, jetton: AccountKey): JettonBurnRow {
  const { customPayload, ...fields } = readBurn(bodyOf(transaction))
  return {
    customPayload: bocOrNull(customPayload),
    owner: transaction.source,
    jettonWallet: token.account,
    jetton,
    ...fields,
    ...common(transaction),
  }
}

function nftTransfer({ transaction, token }: TokenTransaction): NftTransferRow {
  const { newOwner, customPayload, forwardPayload, ...fields } = readItemTransfer(bodyOf(transaction))
  return {
    nft: token.account,
    collection: token.of,
    oldOwner: transaction.source,
    newOwner: account(newOwner),
    customPayload: bocOrNull(customPayload),
    forwardPayload: payloadOrNull(forwardPayload),
    ...fields,
    ...common(transaction),
  }
}

/** A body that is no such request gives no row. In pieces. */
export function* eventRows(all: readonly TokenTransaction[]): Generator<void, EventRows> {
  const rows: EventRows = { jettonTransfers: [], jettonBurns: [], nftTransfers: [] }
  const add = <T>(to: T[], row: T | null): void => {
    if (row !== null) to.push(row)
  }
  for (const one of all) {
    yield
    const { token, transaction } = one
    const { of } = token
    if (transaction.opcode === nft.transfer.opcode)
      add(
        rows.nftTransfers,
        orNull(() => nftTransfer(one)),
      )
    else if (of !== null && transaction.opcode === jettons.transfer.opcode)
      add(
        rows.jettonTransfers,
        orNull(() => jettonTransfer(one, of)),
      )
    else if (of !== null && transaction.opcode === jettons.burn.opcode)
      add(
        rows.jettonBurns,
        orNull(() => jettonBurn(one, of)),
      )
  }
  return rows
}
