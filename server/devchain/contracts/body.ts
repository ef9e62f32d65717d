// The parts message bodies of the public standards are made of.

import { type Builder, beginCell, type Cell, stdAddress, storeAddress } from '../../cell/index.ts'
import type { AccountAddress } from './deployment.ts'

/** `Either Cell ^Cell`: an empty one inline when null. */
export type Payload = { readonly form: 'inline' | 'reference'; readonly cell: Cell } | null

/** Operation and query id, with which nearly all bodies begin. */
export const request = (op: number, queryId: bigint): Builder => beginCell().storeUint(op, 32).storeUint(queryId, 64)

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

/** Bytes in as many cells as they take, each holding the next; the first begins with these. */
export function snake(bytes: Uint8Array): Cell {
  let rest: Cell | null = null
  for (let end = bytes.length, at = 0; end > 0; end = at) {
    at = Math.floor((end - 1) / 127) * 127
    const part = beginCell().storeBytes(bytes.subarray(at, end))
    rest = (rest === null ? part : part.storeRef(rest)).end()
  }
  return rest ?? beginCell().end()
}

/** A text as wallets show it: 32 zero bits and UTF-8, continued in references. */
export const commentBody = (text: string): Cell => snake(Buffer.concat([Buffer.alloc(4), Buffer.from(text, 'utf8')]))
