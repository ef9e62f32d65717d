// More building blocks for message bodies of the public standards.

import { type Builder, type Cell, stdAddress, storeAddress } from '../../cell/index.ts'
import type { AccountAddress } from '../../devchain/index.ts'

/** `Either Cell ^Cell`: an empty one inline when null. */
export type Payload = { readonly form: 'inline' | 'reference'; readonly cell: Cell } | null

/** `MsgAddress`; null is addr_none. */
export const storeAccount = (builder: Builder, account: AccountAddress | null): Builder =>
  storeAddress(builder, account === null ? null : stdAddress(account.workchain, account.hash))

export function storePayload(builder: Builder, payload: Payload): Builder {
  if (payload === null) return builder.storeBit(0)
  if (payload.form === 'reference') return builder.storeBit(1).storeRef(payload.cell)
  builder.storeBit(0).storeRange(payload.cell.data(), 0, payload.cell.bits)
  for (const ref of payload.cell.refs) builder.storeRef(ref)
  return builder
}
