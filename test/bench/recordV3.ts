// Writes the answers of every method of v3 to a file: `npx tsx test/bench/recordV3.ts http://127.0.0.1:8081 before.txt`. Two such
// files of one index, of a chain that stands still (`--mining manual`), are equal unless a change altered an answer.

import { createWriteStream } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { MethodSpec } from '../../shared/registry.ts'
import { indexed } from '../../shared/v3/indexed.ts'
import { queryOf } from '../setup/calls.ts'

type Query = Readonly<Record<string, unknown>>

/** Values of a param that are taken from the chain. */
const PER_PARAM = 12
const PAGES: readonly Query[] = [
  { limit: 1000 },
  { limit: 1000, sort: 'asc' },
  { limit: 1000, sort: 'desc' },
  { limit: 10, offset: 3 },
  { limit: 100, offset: 50, sort: 'asc' },
  { limit: 7, sort: 'desc' },
]

/** Fields of answers whose values a param of this name takes. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  account: ['account'],
  address: ['account', 'address', 'nft_address', 'jetton_wallet'],
  addresses: ['account'],
  owner_address: ['owner', 'owner_address', 'real_owner'],
  jetton_address: ['jetton', 'jetton_master'],
  jetton_master: ['jetton', 'jetton_master'],
  collection_address: ['collection', 'collection_address', 'nft_collection'],
  source: ['source'],
  destination: ['destination'],
  hash: ['hash', 'tx_hash'],
  tx_hash: ['hash', 'transaction_hash'],
  msg_hash: ['in_msg_hash', 'hash_norm'],
  body_hash: ['body_hash'],
  opcode: ['opcode'],
  trace_id: ['trace_id'],
  action_id: ['action_id'],
  mc_seqno: ['mc_block_seqno'],
  seqno: ['seqno', 'mc_block_seqno'],
  lt: ['lt'],
  start_lt: ['lt'],
  end_lt: ['lt'],
  start_utime: ['now'],
  end_utime: ['now'],
}

/** All values of an answer by the name of their field. */
class Values {
  readonly #found = new Map<string, Set<string>>()

  add(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const one of value) this.add(one, name)
    else if (typeof value === 'object' && value !== null)
      for (const [field, one] of Object.entries(value)) this.add(one, field)
    else if (typeof value === 'string' || typeof value === 'number')
      this.#found.set(name, (this.#found.get(name) ?? new Set()).add(String(value)))
  }

  /** Some values for a param, spread over all there are. */
  for(param: string, most = PER_PARAM): string[] {
    const all = [...new Set((SOURCES[param] ?? []).flatMap((field) => [...(this.#found.get(field) ?? [])]))].sort()
    const step = Math.max(1, Math.floor(all.length / most))
    return all.filter((_, i) => i % step === 0).slice(0, most)
  }
}

/** What a method is called with: its example, its lists whole, and by each of its params. */
function* queriesOf(spec: MethodSpec, values: Values): Generator<Query> {
  yield spec.example.params as Query
  const names = Object.keys(spec.params.shape)
  const pages = PAGES.filter((page) => Object.keys(page).every((name) => names.includes(name)))
  yield* pages
  for (const name of names)
    for (const value of values.for(name)) {
      yield { [name]: value }
      for (const page of pages.slice(1, 4)) yield { [name]: value, ...page }
    }
}

/** Every list of v3 by every param, with its longest pages, as paths. */
export async function* heavyQueries(url: string): AsyncGenerator<{ readonly name: string; readonly path: string }> {
  const values = new Values()
  for (const path of ['transactions', 'messages', 'traces', 'actions', 'blocks', 'nft/items', 'jetton/wallets']) {
    const list = await fetch(`${url}/api/v3/${path}?limit=500`)
    values.add(await list.json())
  }
  for (const [name, spec] of Object.entries(indexed) as [string, MethodSpec][]) {
    const route = spec.rest.find(({ verb }) => verb === 'GET')
    if (route === undefined || spec.freshness === 'live') continue
    for (const query of queriesOf(spec, values)) yield { name, path: `${route.path}${queryOf(query)}` }
  }
}

async function record(url: string, file: string): Promise<void> {
  const out = createWriteStream(file)
  let count = 0
  for await (const { name, path } of heavyQueries(url)) {
    const answer = await fetch(`${url}${path}`)
    out.write(`${name} ${path}\n${answer.status} ${await answer.text()}\n`)
    count++
  }
  await new Promise((resolve) => out.end(resolve))
  console.log(`${count} answers in ${file}`)
}

const [, script = '', url, file] = process.argv
if (import.meta.url === pathToFileURL(script).href) {
  if (url === undefined || file === undefined) throw new Error('usage: recordV3.ts http://127.0.0.1:8081 file')
  await record(url, file)
}
