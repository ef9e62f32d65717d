// Resolves a name from resolver to resolver (TEP-81): each resolves a prefix of the rest and names the next resolver.
// Resolvers are contracts of others: a step without progress is the last.

import { toRaw } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import { type BinaryHash, type Cell, openCell, orNull, type StdAddress } from '../../cell/index.ts'
import { ALL_CATEGORIES, type Contracts, cellAt, intAt, NOT_ACTIVE, resolveArguments } from '../../contracts/index.ts'
import type { AccountId } from '../../node/index.ts'
import { decodeDomain, dnsCategoryHash, dnsRecords, loadDnsRecord } from '../../tlb/index.ts'
import { categoryHash } from './category.ts'

export interface DnsQuestion {
  /** The first resolver. */
  readonly start: AccountId
  /** In the form resolvers take. */
  readonly name: Uint8Array
  readonly category: bigint
  /** Maximum further resolvers. */
  readonly ttl: number
}

export interface DnsEntry {
  /** What was resolved: the whole name, or its end when there is another resolver for the rest. */
  readonly name: string
  readonly category: BinaryHash
  readonly record: Cell
}

const NEXT_RESOLVER = dnsCategoryHash('dns_next_resolver')

const refuse = (resolver: AccountId, what: string): never => {
  throw new ApiError('upstream', `resolver ${toRaw(resolver)} ${what}`)
}

interface Step {
  /** Bytes of the name that are resolved. */
  readonly bytes: number
  readonly cell: Cell
}

/** Null when the resolver does not know the name. */
async function ask(contracts: Contracts, resolver: AccountId, question: DnsQuestion): Promise<Step | null> {
  const { name, category, start } = question
  const { exitCode, stack } = await contracts.run(resolver, 'dnsresolve', resolveArguments(name, category))
  // A name that was never registered has a resolver address that is not deployed.
  if (exitCode === NOT_ACTIVE && resolver !== start) return null
  if (exitCode !== 0) return refuse(resolver, `ended with exit code ${exitCode}`)
  const bits = intAt(stack, 0)
  const cell = cellAt(stack, 1)
  if (bits === undefined || (cell === undefined && stack[1]?.kind !== 'null'))
    return refuse(resolver, 'left something else than a number of bits and a cell')
  if (bits < 0n || bits > BigInt(name.length * 8) || bits % 8n !== 0n)
    return refuse(resolver, `resolved ${bits} bits of ${name.length * 8}`)
  return cell === undefined || bits === 0n ? null : { bytes: Number(bits) / 8, cell }
}

function nextResolver(resolver: AccountId, cell: Cell): StdAddress {
  const record = orNull(() => loadDnsRecord(openCell(cell)))
  return record?.kind === 'nextResolver' ? record.address : refuse(resolver, 'named no resolver for the rest')
}

function entriesOf(resolver: AccountId, { name, category }: DnsQuestion, cell: Cell): DnsEntry[] {
  const text = decodeDomain(name) ?? ''
  if (category !== ALL_CATEGORIES) return [{ name: text, category: categoryHash(category), record: cell }]
  const records = orNull(() => dnsRecords(cell)) ?? refuse(resolver, 'left no dictionary of records')
  return [...records].map(([of, record]) => ({ name: text, category: of, record }))
}

/**
 * The records of a name. Empty for a name without any; the next resolver at the limit of resolvers. Throws ApiError
 * `upstream` for any other result of a resolver.
 */
export async function resolveDomain(contracts: Contracts, question: DnsQuestion): Promise<readonly DnsEntry[]> {
  let resolver: AccountId = question.start
  let done = 0
  for (let left = question.ttl; ; left--) {
    const rest = { ...question, name: question.name.subarray(done) }
    const step = await ask(contracts, resolver, rest)
    if (step === null) return []
    if (step.bytes === rest.name.length) return entriesOf(resolver, question, step.cell)
    const next = nextResolver(resolver, step.cell)
    done += step.bytes
    if (left === 0) {
      const known = decodeDomain(question.name.subarray(0, done)) ?? ''
      return [{ name: known, category: NEXT_RESOLVER, record: step.cell }]
    }
    resolver = next
  }
}
