// Which accounts of the network were put into the chain, and by which of its blocks. An account that is deleted afterwards does
// not come back.

import type { AccountName } from '../collate/index.ts'
import type { ImportsRecord } from '../journal/index.ts'

export const importKey = ({ workchain, id }: AccountName): string => `${workchain}.${Buffer.from(id).toString('hex')}`

export class Imports {
  readonly #seqnos = new Map<string, number>()

  get size(): number {
    return this.#seqnos.size
  }

  add({ seqno, accounts }: ImportsRecord): void {
    for (const account of accounts) this.#seqnos.set(importKey(account), seqno)
  }

  /** Whether it was there after this block. */
  has(account: AccountName, seqno: number): boolean {
    const since = this.#seqnos.get(importKey(account))
    return since !== undefined && since <= seqno
  }

  /** Forgets what later blocks brought. */
  truncate(seqno: number): void {
    for (const [key, since] of this.#seqnos) if (since > seqno) this.#seqnos.delete(key)
  }
}
