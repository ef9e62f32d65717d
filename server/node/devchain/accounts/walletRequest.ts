// What the owner of a wallet sends it from outside: signed, counted, and good for a while.

import { type Builder, beginCell, type Cell, openCell, stdAddress, storeAddress } from '../../../cell/index.ts'
import { stateInit } from '../contracts/index.ts'
import type { WellKnownAccount } from './accounts.ts'
import { createSigner } from './signing.ts'

export interface WalletMessage {
  readonly mode: number
  /** As `outgoingMessage` makes it. */
  readonly message: Cell
}

export interface WalletRequest {
  readonly seqno: number
  /** Whether the wallet is not there yet: the message deploys it. */
  readonly deploys?: boolean
  /** Unix seconds; at this time the request is too old. */
  readonly validUntil: number
  readonly messages: readonly WalletMessage[]
}

/** Messages that one request to a wallet may have. */
export const mostMessages = (kind: WellKnownAccount['kind']): number => (kind === 'v5r1' ? 255 : 4)

const SIGNED_REQUEST = 0x7369676e
const SEND_MESSAGE = 0x0ec3c86d
/** Fees on top of the value, and no harm done when one cannot be sent. */
export const USUAL_MODE = 3

/** The number a wallet expects next, out of its data. */
export function walletSeqno({ kind }: WellKnownAccount, data: Cell): number {
  const slice = openCell(data)
  if (kind === 'v5r1') slice.loadBit()
  return slice.loadUint(32)
}

/** Which of the owner's wallets this is. */
function walletId({ kind, data }: WellKnownAccount): number {
  const slice = openCell(data)
  if (kind === 'v5r1') slice.loadBit()
  slice.loadUint(32)
  return slice.loadUint(32)
}

/** `OutList`: each in front of the one before. */
function outList(messages: readonly WalletMessage[]): Cell {
  let list = beginCell().end()
  for (const { mode, message } of messages)
    list = beginCell().storeRef(list).storeUint(SEND_MESSAGE, 32).storeUint(mode, 8).storeRef(message).end()
  return list
}

function unsigned(wallet: WellKnownAccount, { seqno, validUntil, messages }: WalletRequest): Builder {
  const { kind } = wallet
  const head = kind === 'v5r1' ? beginCell().storeUint(SIGNED_REQUEST, 32) : beginCell()
  const builder = head.storeUint(walletId(wallet), 32).storeUint(validUntil, 32).storeUint(seqno, 32)
  if (kind === 'v5r1') return builder.storeMaybeRef(outList(messages)).storeBit(0)
  if (kind === 'v4r2') builder.storeUint(0, 8)
  for (const { mode, message } of messages) builder.storeUint(mode, 8).storeRef(message)
  return builder
}

/** The external message. Throws RangeError for more messages than the wallet sends at once. */
export function walletRequest(wallet: WellKnownAccount, request: WalletRequest): Cell {
  const { kind, address, code, data, seed } = wallet
  if (kind === 'faucet') throw new RangeError('The faucet takes requests of its own')
  const { length } = request.messages
  if (length > mostMessages(kind))
    throw new RangeError(`${length} messages are more than a wallet ${kind} sends at once`)
  const signature = createSigner(seed)(unsigned(wallet, request).end().hashBytes())
  const body = unsigned(wallet, request)
  const signed = kind === 'v5r1' ? body.storeBytes(signature) : beginCell().storeBytes(signature).storeBuilder(body)
  const head = storeAddress(beginCell().storeUint(0b1000, 4), stdAddress(address.workchain, address.hash)).storeCoins(
    0n,
  )
  const init = request.deploys ? head.storeUint(0b11, 2).storeRef(stateInit({ code, data })) : head.storeBit(0)
  return init.storeBit(1).storeRef(signed.end()).end()
}
