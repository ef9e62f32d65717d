// The signed request of a wallet's owner: with a counter against replay and an expiry time.

import { type Builder, beginCell, type Cell } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { messageFromOutside, outgoingMessage, stateInit } from '../contracts/index.ts'
import { type DevWallet, HIGHLOAD_TIMEOUT, mostMessages, seqnoIn, walletIdIn } from './devWallets.ts'
import { type PluginOrder, storePluginOrder } from './pluginOrder.ts'
import { createSigner, type Signer } from './signing.ts'
import type { WellKnownAccount } from './wellKnownAccounts.ts'

export interface WalletMessage {
  readonly mode: number
  /** As `outgoingMessage` makes it. */
  readonly message: Cell
}

export interface WalletRequest {
  /** A highload wallet takes any number it did not have for a while. */
  readonly seqno: number
  /** Whether the message also deploys the wallet. */
  readonly deploys?: boolean
  /** Unix seconds; at this time the request is too old. A wallet of v1 has no such time; a highload one drops the request later. */
  readonly validUntil: number
  readonly messages: readonly WalletMessage[]
  /** Of a wallet of version 4, in the place of messages. */
  readonly plugin?: PluginOrder
}

const SIGNED_REQUEST = 0x7369676e
/** The same, brought by a message. */
const SIGNED_INSIDE = 0x73696e74
const SEND_MESSAGE = 0x0ec3c86d
const SEND_ACTIONS = 0xae42e5a4
/** Fees on top of the value, and no harm done when one cannot be sent. */
export const USUAL_MODE = 3
/** What a highload wallet sends itself with a list of actions: the rest of it stays there. */
const ACTIONS_VALUE = 1_000_000_000n

function kindOf({ kind }: WellKnownAccount): DevWallet {
  if (kind === 'faucet') throw new RangeError('The faucet takes requests of its own')
  return kind
}

/** The number a wallet expects next, out of its data. */
export const walletSeqno = (wallet: WellKnownAccount, data: Cell): number => seqnoIn(kindOf(wallet), data)

/** `OutList`: each in front of the one before. */
function outList(messages: readonly WalletMessage[]): Cell {
  let list = beginCell().end()
  for (const { mode, message } of messages)
    list = beginCell().storeRef(list).storeUint(SEND_MESSAGE, 32).storeUint(mode, 8).storeRef(message).end()
  return list
}

function unsigned(
  wallet: WellKnownAccount,
  { seqno, validUntil, messages, plugin }: WalletRequest,
  opV5 = SIGNED_REQUEST,
): Builder {
  const kind = kindOf(wallet)
  const id = walletIdIn(kind, wallet.data)
  if (kind === 'v5r1') {
    const head = beginCell().storeUint(opV5, 32).storeUint(id, 32).storeUint(validUntil, 32)
    return head.storeUint(seqno, 32).storeMaybeRef(outList(messages)).storeBit(0)
  }
  const builder = beginCell()
  if (kind.startsWith('v1')) builder.storeUint(seqno, 32)
  else if (kind.startsWith('v2')) builder.storeUint(seqno, 32).storeUint(validUntil, 32)
  else builder.storeUint(id, 32).storeUint(validUntil, 32).storeUint(seqno, 32)
  if (kind === 'v4r2' && plugin !== undefined) return storePluginOrder(builder, plugin)
  if (kind === 'v4r2') builder.storeUint(0, 8)
  for (const { mode, message } of messages) builder.storeUint(mode, 8).storeRef(message)
  return builder
}

/** All that is to be sent as one message of a highload wallet: to itself. */
function toItself(address: AccountId, messages: readonly WalletMessage[]): WalletMessage {
  const body = beginCell().storeUint(SEND_ACTIONS, 32).storeUint(0, 64).storeRef(outList(messages)).end()
  return { mode: USUAL_MODE, message: outgoingMessage({ to: address, value: ACTIONS_VALUE, body, bounce: false }) }
}

function highloadBody(wallet: WellKnownAccount, { seqno, validUntil, messages }: WalletRequest, sign: Signer): Cell {
  const { mode, message } = toItself(wallet.address, messages)
  const head = beginCell().storeUint(walletIdIn('highload', wallet.data), 32).storeRef(message).storeUint(mode, 8)
  const times = head.storeUint(seqno, 23).storeUint(validUntil - HIGHLOAD_TIMEOUT, 64)
  const signed = times.storeUint(HIGHLOAD_TIMEOUT, 22).end()
  return beginCell().storeBytes(sign(signed.hashBytes())).storeRef(signed).end()
}

function bodyOf(wallet: WellKnownAccount, request: WalletRequest): Cell {
  const sign = createSigner(wallet.seed)
  if (wallet.kind === 'highload') return highloadBody(wallet, request, sign)
  if (wallet.kind === 'v5r1') return signedV5(wallet, request, SIGNED_REQUEST)
  const signature = sign(unsigned(wallet, request).end().hashBytes())
  return beginCell().storeBytes(signature).storeBuilder(unsigned(wallet, request)).end()
}

function signedV5(wallet: WellKnownAccount, request: WalletRequest, op: number): Cell {
  const signature = createSigner(wallet.seed)(unsigned(wallet, request, op).end().hashBytes())
  return unsigned(wallet, request, op).storeBytes(signature).end()
}

/**
 * The body of an internal message by which another account delivers the request to a wallet v5 and pays for it; `deploys`
 * concerns the message, not the body. Throws RangeError for other wallets, and for more messages than it sends at once.
 */
export function broughtRequest(wallet: WellKnownAccount, request: Omit<WalletRequest, 'deploys' | 'plugin'>): Cell {
  if (wallet.kind !== 'v5r1') throw new RangeError(`A wallet ${wallet.kind} takes no requests inside messages`)
  checkCount('v5r1', request)
  return signedV5(wallet, request, SIGNED_INSIDE)
}

function checkCount(kind: DevWallet, { messages: { length } }: Pick<WalletRequest, 'messages'>): void {
  if (length > mostMessages(kind))
    throw new RangeError(`${length} messages are more than a wallet ${kind} sends at once`)
}

/** The external message. Throws RangeError for more messages than the wallet sends at once. */
export function walletRequest(wallet: WellKnownAccount, request: WalletRequest): Cell {
  const { address, code, data } = wallet
  const kind = kindOf(wallet)
  checkCount(kind, request)
  if (request.plugin !== undefined && kind !== 'v4r2') throw new RangeError(`A wallet ${kind} takes no plugins`)
  return messageFromOutside(address, bodyOf(wallet, request), request.deploys ? stateInit({ code, data }) : null)
}
