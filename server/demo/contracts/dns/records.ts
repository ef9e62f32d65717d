// Records of a domain (TEP-81): their kinds, and their usual categories.

import { dnsRecordLayouts } from '../../../bodies/index.ts'
import { beginCell, type Cell, hashToBytes, openCell } from '../../../cell/index.ts'
import type { AccountId } from '../../../devchain/index.ts'
import { dnsCategoryHash } from '../../../tlb/index.ts'
import { cellWriter } from '../body.ts'

const writeAccount = cellWriter(dnsRecordLayouts.smcAddress)
const writeResolver = cellWriter(dnsRecordLayouts.nextResolver)
const writeAdnl = cellWriter(dnsRecordLayouts.adnlAddress)
const writeStorage = cellWriter(dnsRecordLayouts.storageAddress)
const writeText = cellWriter(dnsRecordLayouts.text)

/** The 32 bytes of a category: `wallet`, `site`, `storage`, `dns_next_resolver`, or any other name. */
export const dnsCategory = (name: string): Uint8Array => hashToBytes(dnsCategoryHash(name))

/** Of category `wallet`: an account. */
export const dnsAccountRecord = (account: AccountId): Cell => writeAccount({ smcAddr: account, flags: 0 })

/** Of category `dns_next_resolver`: the resolver of subdomains. */
export const dnsResolverRecord = (resolver: AccountId): Cell => writeResolver({ resolver })

/** Of category `site`: 32 bytes of an ADNL address. */
export const dnsAdnlRecord = (adnl: Uint8Array): Cell => writeAdnl({ adnlAddr: adnl, flags: 0 })

/** Of category `storage` or `site`: 32 bytes of a bag's id. */
export const dnsStorageRecord = (bag: Uint8Array): Cell => writeStorage({ bagId: bag })

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
  const head = beginCell().storeUint(parts.length, 8).storeUint(first.length, 8).storeBytes(first)
  return writeText({ text: openCell((next === null ? head : head.storeRef(next)).end()) })
}
