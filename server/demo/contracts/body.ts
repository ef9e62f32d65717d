// How bodies are written here: addresses as accounts of the embedded chain.

import type { Layout, PayloadParts, WrittenFields } from '../../bodies/index.ts'
import { type Builder, beginCell, type Cell, type MessageAddress, stdAddress, storeAddress } from '../../cell/index.ts'
import type { AccountId } from '../../devchain/index.ts'

/** `Either Cell ^Cell`: an empty one inline when null. */
export type OrderPayload = PayloadParts | null

const NO_PAYLOAD: PayloadParts = { form: 'inline', cell: beginCell().end() }

export const payloadParts = (payload: OrderPayload = null): PayloadParts => payload ?? NO_PAYLOAD

const addressOf = (account: AccountId | null): MessageAddress =>
  account === null ? null : stdAddress(account.workchain, account.hash)

/** `MsgAddress`; null is addr_none. */
export const storeAddressOrNone = (builder: Builder, account: AccountId | null): Builder =>
  storeAddress(builder, addressOf(account))

/** What makes a body, or a cell of one, of its fields. */
export function cellWriter<L extends string, Last>(
  layout: Layout<L, Last>,
): (fields: WrittenFields<L, Last, AccountId | null>) => Cell {
  const write = layout.writer(addressOf)
  return (fields) => write(beginCell(), fields).end()
}
