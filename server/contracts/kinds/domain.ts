// Items that are domains (TEP-81): their name, their records, and the auction they are won in.

import { hashToHex, openCell, orNull, type StdAddress } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { type DnsRecord, decodeDomain, dnsRecords, loadDnsRecord, snakeBytes, utf8Text } from '../../tlb/index.ts'
import type { Contracts } from '../contracts.ts'
import { addressAt, cellAt, intAt, sliceAt } from '../stack/results.ts'
import { SELF_ARGUMENTS } from './dnsArguments.ts'

export interface DomainContent {
  readonly kind: 'domain'
  readonly domain: string
  /** By the hash of the category in hex. */
  readonly records: ReadonlyMap<string, DnsRecord>
}

export interface DomainAuction {
  readonly maxBidder: StdAddress | null
  readonly maxBid: bigint
  readonly end: bigint
}

/** Null for an item that is no domain. */
export async function domainContent(contracts: Contracts, id: AccountId): Promise<DomainContent | null> {
  const stack = await contracts.resultsIfAny(id, 'dnsresolve', SELF_ARGUMENTS)
  if (stack?.length !== 2 || intAt(stack, 0) !== 8n) return null
  const root = cellAt(stack, 1)
  if (root === undefined && stack[1]?.kind !== 'null') return null
  const records = root === undefined ? new Map<string, DnsRecord>() : orNull(() => readRecords(root))
  const domain = records && (await domainName(contracts, id))
  return domain ? { kind: 'domain', domain, records } : null
}

/** Those that can be read. */
function readRecords(root: Parameters<typeof dnsRecords>[0]): Map<string, DnsRecord> {
  const known = new Map<string, DnsRecord>()
  for (const [category, cell] of dnsRecords(root)) {
    const record = orNull(() => loadDnsRecord(openCell(cell)))
    if (record !== null) known.set(hashToHex(category), record)
  }
  return known
}

const LONGEST_NAME = 1024

/** A domain says its label, a user name all of it in the form resolvers take. */
async function domainName(contracts: Contracts, id: AccountId): Promise<string | null> {
  const label = await bytesOf(contracts, id, 'get_domain')
  if (label !== null) {
    const text = utf8Text(label)
    return text && `${text}.ton`
  }
  const whole = await bytesOf(contracts, id, 'get_full_domain')
  return whole && decodeDomain(whole)
}

async function bytesOf(contracts: Contracts, id: AccountId, method: string): Promise<Buffer | null> {
  const stack = await contracts.resultsIfAny(id, method)
  const cell = stack === null ? undefined : sliceAt(stack, 0)
  return cell === undefined ? null : orNull(() => snakeBytes(openCell(cell), LONGEST_NAME))
}

/** The auction of a domain, over or not; null without one, or when it is unknown. */
export async function domainAuction(contracts: Contracts, id: AccountId): Promise<DomainAuction | null> {
  const stack = await contracts.resultsIfAny(id, 'get_auction_info')
  if (stack === null) return null
  const maxBidder = addressAt(stack, 0)
  const maxBid = intAt(stack, 1)
  const end = intAt(stack, 2)
  if (maxBidder == null || maxBid === undefined || end === undefined) return null
  return { maxBidder, maxBid, end }
}

/** When a domain was last paid for, unix seconds. */
export async function lastFillUp(contracts: Contracts, id: AccountId): Promise<bigint | null> {
  const stack = await contracts.resultsIfAny(id, 'get_last_fill_up_time')
  return (stack && intAt(stack, 0)) ?? null
}
