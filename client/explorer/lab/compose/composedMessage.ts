// The messages that the composer makes: internal ones, state inits, and orders of wallets before they are signed.

import type { ParsedAddress } from '../../../../shared/address.ts'
import { BagBuilder, EMPTY_CELL } from '../../cell/build.ts'
import { type BagCell, hashOf } from '../../cell/readBag.ts'

/** Where an account is, however it was written. */
export type AccountPlace = Pick<ParsedAddress, 'workchain' | 'hash'>

const addressOf = ({ workchain, hash }: AccountPlace): ParsedAddress => ({
  workchain,
  hash,
  form: 'raw',
  bounceable: true,
  testOnly: false,
})

export interface InternalMessage {
  /** Null where the chain fills it in: in the order of a wallet. */
  readonly from: AccountPlace | null
  readonly to: AccountPlace
  /** Nanotons. */
  readonly value: bigint
  readonly bounce: boolean
  readonly body: BagCell
  readonly init: BagCell | null
}

const COINS_LENGTH_BITS = 4

export function internalMessage({ from, to, value, bounce, body, init }: InternalMessage): BagCell {
  const builder = new BagBuilder()
    // Internal; instant routing is off.
    .uint(0b01, 2)
    .uint(bounce ? 1 : 0, 1)
    .uint(0, 1)
    .address(from && addressOf(from))
    .address(addressOf(to))
    .varUint(value, COINS_LENGTH_BITS)
    // No further currencies, and no fees yet.
    .uint(0, 1 + COINS_LENGTH_BITS + COINS_LENGTH_BITS)
    .uint(0, 64 + 32)
  if (init === null) builder.uint(0, 1)
  else builder.uint(0b11, 2).ref(init)
  return builder.uint(1, 1).ref(body).end()
}

export const externalMessage = (to: AccountPlace, body: BagCell): BagCell =>
  new BagBuilder()
    // From outside, to `to`, without an import fee, without a state init, with the body in a reference.
    .uint(0b10, 2)
    .address(null)
    .address(addressOf(to))
    .uint(0, COINS_LENGTH_BITS)
    .uint(0b01, 2)
    .ref(body)
    .end()

/** What makes a contract: neither special, nor with libraries of its own. */
export const initCell = (code: BagCell, data: BagCell): BagCell =>
  new BagBuilder().uint(0, 2).maybeRef(code).maybeRef(data).uint(0, 1).end()

/** Where a state init deploys to; null for code whose hash depends on cells that are not here. */
export async function deployedPlace(init: BagCell): Promise<AccountPlace | null> {
  const hash = await hashOf(init)
  return hash && { workchain: 0, hash }
}

export interface SignedOrder {
  /** Version, as the chain names it. */
  readonly kind: string
  readonly walletId: number
  readonly seqno: number
  /** Unix seconds by the clock of the chain. */
  readonly validUntil: number
  readonly message: BagCell
}

/** Fees are paid apart from the value, and a message that cannot be sent does not fail the wallet. */
const MODE = 3
const SIGNED_V5 = 0x7369676e
const SEND_MESSAGE = 0x0ec3c86d

const outList = (message: BagCell): BagCell =>
  new BagBuilder().ref(EMPTY_CELL).uint(SEND_MESSAGE, 32).uint(MODE, 8).ref(message).end()

/** What the owner of a wallet signs. */
export function unsignedOrder({ kind, walletId, seqno, validUntil, message }: SignedOrder): BagCell {
  const id = BigInt.asUintN(32, BigInt(walletId))
  if (kind === 'v5r1')
    return new BagBuilder()
      .uint(SIGNED_V5, 32)
      .uint(id, 32)
      .uint(validUntil, 32)
      .uint(seqno, 32)
      .maybeRef(outList(message))
      .uint(0, 1)
      .end()
  const order = new BagBuilder().uint(id, 32).uint(validUntil, 32).uint(seqno, 32)
  if (kind.startsWith('v4')) order.uint(0, 8)
  return order.uint(MODE, 8).ref(message).end()
}

/** A v5 wallet has the signature behind the order, earlier ones in front. */
export const signedOrder = (kind: string, order: BagCell, signature: Uint8Array): BagCell =>
  kind === 'v5r1'
    ? new BagBuilder().slice(order).bytes(signature).end()
    : new BagBuilder().bytes(signature).slice(order).end()
