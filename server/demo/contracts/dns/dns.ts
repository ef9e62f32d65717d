// Deployment of domains, of the root and of a zone that sells them, and the messages they accept (TEP-81).

import { dns } from '../../../bodies/index.ts'
import { beginCell, type Cell, dictBytesKey, dictKind, emptyDict, refValue } from '../../../cell/index.ts'
import { type AccountId, commentBody, type Deployment, operationBody } from '../../../devchain/index.ts'
import { cellWriter, storeAddressOrNone } from '../body.ts'
import { contractCode, deployment } from '../code.ts'
import { dnsCategory, dnsResolverRecord } from './records.ts'

const recordKind = dictKind(dictBytesKey(256), refValue)
const writeChange = cellWriter(dns.changeRecord)

/** The root resolver, in the masterchain: it names the resolver of each first-level zone such as `ton`. */
export function dnsRoot(owner: AccountId, zones: Readonly<Record<string, AccountId>>): Deployment {
  const entries = Object.entries(zones).map(([name, zone]) => [dnsCategory(name), dnsResolverRecord(zone)] as const)
  const { root } = emptyDict(recordKind).update(entries)
  return deployment('dns/root', storeAddressOrNone(beginCell(), owner).storeMaybeRef(root).end(), { workchain: -1 })
}

/** A zone that auctions its domains; the content is that of a collection. */
export const dnsZone = (content: Cell): Deployment =>
  deployment('dns/collection', beginCell().storeRef(content).storeRef(contractCode('dns/item')).end())

const nameCell = (name: string): Cell => beginCell().storeBytes(Buffer.from(name, 'utf8')).end()

/** The index of a domain in its zone; `name` is without the zone. */
export const domainIndex = (name: string): bigint => BigInt(`0x${nameCell(name).hashHex()}`)

/** The domain of a name, without its zone, as the zone deploys it. */
export const dnsDomain = (zone: AccountId, name: string): Deployment =>
  deployment('dns/item', storeAddressOrNone(beginCell().storeUint(domainIndex(name), 256), zone).end())

/** For a zone, from any account, with the first bid: opens the auction of a domain. */
export const dnsOpenAuctionBody = (name: string): Cell => commentBody(name)

/** For a domain or the root, from its owner: sets or deletes a record. */
export function dnsChangeRecordBody(queryId: bigint, category: string | Uint8Array, record: Cell | null): Cell {
  const key = typeof category === 'string' ? dnsCategory(category) : category
  return writeChange({ queryId, key, value: record })
}

/** For a domain, from its owner: renews it for a year. */
export const dnsRenewBody = (queryId: bigint): Cell => dnsChangeRecordBody(queryId, new Uint8Array(32), null)

/** For a domain that was not renewed for a year, from any account, with the first bid: opens an auction. */
export const dnsReleaseBody = (queryId: bigint): Cell => operationBody(dns.balanceRelease.opcode, queryId).end()
