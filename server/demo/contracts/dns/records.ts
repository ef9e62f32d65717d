// Records of a domain (TEP-81): their kinds, and their usual categories.

import { beginCell, type Cell, hashToBytes } from '../../../cell/index.ts'
import type { AccountAddress } from '../../../devchain/index.ts'
import { dnsCategoryHash } from '../../../tlb/index.ts'
import { storeAccount } from '../body.ts'

/** The 32 bytes of a category: `wallet`, `site`, `storage`, `dns_next_resolver`, or any other name. */
export const dnsCategory = (name: string): Uint8Array => hashToBytes(dnsCategoryHash(name))

/** Of category `wallet`: an account. */
export const dnsAccountRecord = (account: AccountAddress): Cell =>
  storeAccount(beginCell().storeUint(0x9fd3, 16), account).storeUint(0, 8).end()

/** Of category `dns_next_resolver`: the resolver of subdomains. */
export const dnsResolverRecord = (resolver: AccountAddress): Cell =>
  storeAccount(beginCell().storeUint(0xba93, 16), resolver).end()

/** Of category `site`: 32 bytes of an ADNL address. */
export const dnsAdnlRecord = (adnl: Uint8Array): Cell =>
  beginCell().storeUint(0xad01, 16).storeBytes(adnl).storeUint(0, 8).end()

/** Of category `storage` or `site`: 32 bytes of a bag's id. */
export const dnsStorageRecord = (bag: Uint8Array): Cell => beginCell().storeUint(0x7473, 16).storeBytes(bag).end()

// Bytes per cell, without the lengths; the first cell also holds the kind of record and the number of parts.
const FIRST_PART = 123
const NEXT_PART = 126

/** A text, in UTF-8. Throws RangeError when it takes more than 255 parts. */
export function dnsTextRecord(text: string): Cell {
  const bytes = Buffer.from(text, 'utf8')
  const parts = [bytes.subarray(0, FIRST_PART)]
  for (let at = FIRST_PART; at < bytes.length; at += NEXT_PART) parts.push(bytes.subarray(at, at + NEXT_PART))
  if (parts.length > 255) throw new RangeError(`A text of ${bytes.length} bytes does not fit a record`)
  let next: Cell | null = null
  for (const part of parts.slice(1).toReversed()) {
    const builder = beginCell().storeUint(part.length, 8).storeBytes(part)
    next = (next === null ? builder : builder.storeRef(next)).end()
  }
  const first = parts[0] ?? Buffer.alloc(0)
  const head = beginCell().storeUint(0x1eda, 16).storeUint(parts.length, 8).storeUint(first.length, 8)
  return (next === null ? head.storeBytes(first) : head.storeBytes(first).storeRef(next)).end()
}
