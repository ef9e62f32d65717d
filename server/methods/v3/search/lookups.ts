// Lookups of a search, by what the text looks like. Each is a few statements along an index, whatever the text.

import { clip } from '../../../../shared/primitives.ts'
import { sameBytes } from '../../../cell/index.ts'
import {
  accountsInRead,
  accountsOfCodeRead,
  byHashRead,
  dnsRecordsRead,
  domainsByPrefixRead,
  hashesInRead,
  nearestBlockRead,
  neighbouringAccountsRead,
  neighbouringDomainsRead,
  neighbouringHashesRead,
  neighbouringNamesRead,
  readAll,
  readPage,
  type SearchedBlock,
  type Sql,
  type StatementOptions,
  searchText,
  tokensByNameRead,
} from '../../../store/index.ts'
import {
  accountHit,
  blockHit,
  domainHit,
  type Hit,
  type HitMatch,
  hashHit,
  type SearchFound,
  tokenHit,
} from './hits.ts'
import { accountRanges, hashRange, LEAST_SHARED_PREFIX, sharedDigits } from './keys.ts'

const WHOLE_ONLY = 'A transaction that does not begin a trace is found by its whole hash alone.'

/** Fewer shared letters are no likeness. */
const LEAST_LETTERS = 2

const sharedStart = (a: string, b: string): string => {
  const one = [...a]
  const other = [...b]
  const at = one.findIndex((letter, i) => letter !== other[i])
  return one.slice(0, at < 0 ? one.length : at).join('')
}

const longest = (texts: readonly string[]): string =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), '')

export class Lookups {
  readonly #store: Sql
  readonly #options: StatementOptions
  readonly #limit: number

  constructor(store: Sql, options: StatementOptions, limit: number) {
    this.#store = store
    this.#options = options
    this.#limit = limit
  }

  #read<T>(read: Parameters<typeof readAll<T>>[1]): Promise<T[]> {
    return readAll(this.#store, read, this.#options)
  }

  /** An account that has this key, else those whose keys are nearly the same. */
  async account(key: Uint8Array): Promise<{ readonly isIndexed: boolean; readonly near: readonly Hit[] }> {
    const rows = await this.#read(neighbouringAccountsRead(key))
    const isIndexed = rows.some((row) => sameBytes(row, key))
    const near = rows.filter((row) => sharedDigits(row, key) >= LEAST_SHARED_PREFIX)
    return { isIndexed, near: isIndexed ? [] : near.map((row) => accountHit(row, 'nearest')) }
  }

  async hash(hash: Uint8Array): Promise<SearchFound> {
    const accounts = accountRanges(Buffer.from(hash).toString('hex'))
    const [rows, ...owned] = await Promise.all([
      this.#read(byHashRead(hash)),
      ...accounts.map((range) => this.#read(accountsInRead(range, 1))),
    ])
    const isCode = rows.some(({ kind }) => kind === 'code')
    const withCode = isCode ? await this.#read(accountsOfCodeRead(hash, this.#limit)) : []
    const isTransaction = rows.some(({ kind }) => kind === 'transaction')
    const exact = [
      // The first transaction of a trace has the hash of the trace.
      ...rows.filter(({ kind }) => kind !== 'trace' || !isTransaction).map((row) => hashHit(row, 'exact')),
      ...[...owned.flat(), ...withCode].map((key) => accountHit(key, 'exact')),
    ]
    if (exact.length > 0) return { hits: exact, note: null }
    const next = await this.#read(neighbouringHashesRead(hash))
    const near = next.filter((row) => sharedDigits(row.hash, hash) >= LEAST_SHARED_PREFIX)
    const nothing = 'Nothing in the index has this hash: it may be of another network, or too new.'
    return {
      hits: near.map((row) => hashHit(row, 'nearest')),
      note: near.length === 0 ? nothing : 'Nothing in the index has this hash; this one begins with the same digits.',
    }
  }

  async block(block: SearchedBlock): Promise<SearchFound> {
    const rows = await this.#read(nearestBlockRead(block))
    const isMeant = (row: SearchedBlock) => row.shard === block.shard && row.seqno === block.seqno
    const exact = rows.filter(isMeant)
    if (exact.length > 0) return { hits: exact.map((row) => blockHit(row, 'exact')), note: null }
    const distance = (row: SearchedBlock) => Math.abs(row.seqno - block.seqno)
    const near = [...rows].sort((a, b) => distance(a) - distance(b)).slice(0, this.#limit)
    const [first] = near
    const note =
      first === undefined
        ? `No block of workchain ${block.workchain} is in the index.`
        : `This block is not in the index; the nearest one is ${first.seqno}.`
    return { hits: near.map((row) => blockHit(row, 'nearest')), note }
  }

  async domain(name: string, match: HitMatch = 'exact'): Promise<readonly Hit[]> {
    const page = { limit: 1, offset: 0, after: null }
    const { rows } = await readPage(this.#store, dnsRecordsRead({ domain: name }, page), this.#options)
    return rows.flatMap(({ account, wallet }) => [
      ...(wallet === null ? [] : [{ ...accountHit(wallet, match), name }]),
      domainHit(account, name, match),
    ])
  }

  /** Tokens and domains whose names begin with a text. */
  async names(text: string, match?: HitMatch): Promise<readonly Hit[]> {
    const prefix = searchText(text)
    if (prefix === '') return []
    const [tokens, domains] = await Promise.all([
      this.#read(tokensByNameRead(prefix, this.#limit)),
      this.#read(domainsByPrefixRead(prefix, this.#limit)),
    ])
    return [
      ...tokens.map((token) => tokenHit(token, match)),
      ...domains.map(({ account, domain }) => domainHit(account, domain, match ?? 'prefix')),
    ]
  }

  /** Accounts, messages, blocks and first transactions of traces by the beginning of an address or hash. */
  async beginnings(text: string): Promise<readonly Hit[]> {
    const range = hashRange(text)
    const [hashes, ...accounts] = await Promise.all([
      range === null ? [] : this.#read(hashesInRead(range, this.#limit)),
      ...accountRanges(text).map((keys) => this.#read(accountsInRead(keys, this.#limit))),
    ])
    return [...accounts.flat().map((key) => accountHit(key, 'prefix')), ...hashes.map((row) => hashHit(row, 'prefix'))]
  }

  /** The names that share most letters with a text from its start. */
  async nearestNames(text: string): Promise<SearchFound> {
    const word = searchText(text)
    const within = hashRange(text) === null ? '' : ` ${WHOLE_ONLY}`
    const nothing = `Nothing is known under “${clip(text)}”.${within}`
    const [names, domains] = await Promise.all([
      this.#read(neighbouringNamesRead(word)),
      this.#read(neighbouringDomainsRead(word)),
    ])
    const start = longest([...names, ...domains].map((name) => sharedStart(word, name)))
    if ([...start].length < LEAST_LETTERS) return { hits: [], note: nothing }
    return { hits: await this.names(start, 'nearest'), note: `${nothing} These begin with “${start}”.` }
  }
}
