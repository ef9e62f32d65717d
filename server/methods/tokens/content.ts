// What a token says of itself: the content in a cell, what a collection makes of an item's own, or the records of a
// domain.

import { type Cell, hashToHex, openCell, type StdAddress } from '../../cell/index.ts'
import {
  type DnsRecord,
  decodeDomain,
  dnsRecords,
  loadDnsRecord,
  loadTokenContent,
  orNull,
  snakeBytes,
  type TokenContent,
  utf8Text,
} from '../../tlb/index.ts'
import { SELF_ARGUMENTS } from '../dns/arguments.ts'
import { cellAt, intAt, sliceAt } from '../stack/results.ts'
import { intValue } from '../stack/stackValue.ts'
import type { AccountName, Contracts } from '../tvm/contracts.ts'
import type { DomainContent } from './tokenFacts.ts'

/** Null for a cell that holds no content. */
export const contentOf = (cell: Cell | undefined): TokenContent | null =>
  cell === undefined ? null : orNull(() => loadTokenContent(openCell(cell)))

interface Item {
  readonly name: AccountName
  readonly collection: StdAddress | null
  readonly index: bigint
  readonly individual: Cell
}

/** Null when there is none that can be read. */
export async function itemContent(contracts: Contracts, item: Item): Promise<TokenContent | DomainContent | null> {
  const { name, collection, index, individual } = item
  if (collection === null) return contentOf(individual)
  const domain = await domainContent(contracts, name)
  if (domain !== null) return domain
  const args = [intValue(index), { kind: 'cell', cell: individual } as const]
  const whole = await contracts.results(collection, 'get_nft_content', args)
  return whole && contentOf(cellAt(whole, 0))
}

/** Null for an item that is no domain. */
async function domainContent(contracts: Contracts, name: AccountName): Promise<DomainContent | null> {
  const stack = await contracts.results(name, 'dnsresolve', SELF_ARGUMENTS)
  if (stack?.length !== 2 || intAt(stack, 0) !== 8n) return null
  const root = cellAt(stack, 1)
  if (root === undefined && stack[1]?.kind !== 'null') return null
  const records = root === undefined ? new Map<string, DnsRecord>() : orNull(() => readRecords(root))
  const domain = records && (await domainName(contracts, name))
  return domain ? { kind: 'domain', domain, records } : null
}

/** Those that can be read. */
function readRecords(root: Cell): Map<string, DnsRecord> {
  const known = new Map<string, DnsRecord>()
  for (const [category, cell] of dnsRecords(root)) {
    const record = orNull(() => loadDnsRecord(openCell(cell)))
    if (record !== null) known.set(hashToHex(category), record)
  }
  return known
}

const LONGEST_NAME = 1024

/** A domain says its label, a user name all of it in the form resolvers take. */
async function domainName(contracts: Contracts, name: AccountName): Promise<string | null> {
  const label = await bytesOf(contracts, name, 'get_domain')
  if (label !== null) {
    const text = utf8Text(label)
    return text && `${text}.ton`
  }
  const whole = await bytesOf(contracts, name, 'get_full_domain')
  return whole && decodeDomain(whole)
}

async function bytesOf(contracts: Contracts, name: AccountName, method: string): Promise<Buffer | null> {
  const stack = await contracts.results(name, method)
  const cell = stack === null ? undefined : sliceAt(stack, 0)
  return cell === undefined ? null : orNull(() => snakeBytes(openCell(cell), LONGEST_NAME))
}
