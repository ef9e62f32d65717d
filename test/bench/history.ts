// v2 over a long chain: pages of history, look-ups by message, old blocks and their transactions. Every request is made once,
// so that no reply is cached. `npm run bench -- history`; LONG_CHAIN=folder keeps the chain, which takes minutes to fill.

import { aligned, loadLine } from './compare.ts'
import { longChain } from './longChain.ts'
import { residentOf } from './processor.ts'
import { type Started, spawnOurs, stop } from './started.ts'
import { type Sample, settled, timedLoad } from './timedLoad.ts'

const ROUND_MS = Number(process.env.ROUND_MS ?? 4000)
const CALLERS = [1, 16, 64]
/** Calls a second with 16 callers. */
const WANTED = 2000
const SHARD = '-9223372036854775808'
/** Transactions of each block that requests are made of. */
const OF_A_BLOCK = 100

interface Shown {
  readonly account: string
  readonly transaction_id: { readonly lt: string; readonly hash: string }
  readonly in_msg?: ShownMessage
}

interface ShownMessage {
  readonly source: { readonly account_address: string }
  readonly destination: { readonly account_address: string }
  readonly created_lt: string
}

interface Seen {
  readonly account: string
  readonly lt: string
  readonly hash: string
  /** By which its incoming message is looked up; null without one that an account sent. */
  readonly mark: Record<'source' | 'destination' | 'created_lt', string> | null
}

function markOf({ source, destination, created_lt }: ShownMessage): Seen['mark'] {
  const from = source.account_address
  const to = destination.account_address
  return from === '' ? null : { source: from, destination: to, created_lt }
}

const query = (values: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()

const get = (method: string, values: Readonly<Record<string, string | number>>): string =>
  `GET /api/v2/${method}?${query(values)} HTTP/1.1\r\nHost: localhost\r\n\r\n`

async function read<T>(
  { port }: Started,
  method: string,
  values: Readonly<Record<string, string | number>>,
): Promise<T> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v2/${method}?${query(values)}`)
  return ((await reply.json()) as { result: T }).result
}

/** Always the same order, which has nothing to do with that of the chain. */
function shuffled<T>(items: readonly T[]): T[] {
  let state = 1
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return [state, item] as const
  })
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item)
}

/** Transactions of each block, in no order. */
async function transactionsOf(service: Started, head: number): Promise<Seen[]> {
  const all: Seen[] = []
  for (let seqno = head - 1; seqno > 1; seqno--) {
    const block = { workchain: 0, shard: SHARD, seqno, count: OF_A_BLOCK }
    const { transactions } = await read<{ transactions: Shown[] }>(service, 'getBlockTransactionsExt', block)
    for (const { account, transaction_id, in_msg } of transactions)
      all.push({ account, ...transaction_id, mark: in_msg === undefined ? null : markOf(in_msg) })
  }
  return shuffled(all)
}

interface Kind {
  readonly name: string
  readonly requests: string[]
}

function kindsOf(seen: readonly Seen[], head: number): Kind[] {
  const marks = seen.flatMap(({ mark }) => mark ?? [])
  const seqnos = shuffled(Array.from({ length: head - 2 }, (_, number) => number + 2))
  const block = { workchain: 0, shard: SHARD }
  const pages = (method: string) =>
    Array.from({ length: 64 }, (_, more) => seqnos.map((seqno) => get(method, { ...block, seqno, count: 40 + more })))
  return [
    {
      name: 'getTransactions, 10',
      requests: seen.map(({ account: address, lt, hash }) => get('getTransactions', { address, lt, hash, limit: 10 })),
    },
    { name: 'tryLocateTx', requests: marks.map((mark) => get('tryLocateTx', mark)) },
    { name: 'tryLocateSourceTx', requests: marks.map((mark) => get('tryLocateSourceTx', mark)) },
    { name: 'getBlockTransactions, 40 and more', requests: pages('getBlockTransactions').flat() },
    { name: 'getBlockHeader', requests: seqnos.map((seqno) => get('getBlockHeader', { ...block, seqno })) },
    { name: 'lookupBlock by lt', requests: seen.map(({ lt }) => get('lookupBlock', { ...block, lt })) },
  ]
}

/** Each request once, and again from the first when there are no more: then replies may be cached. */
function cycle(requests: readonly string[]): { readonly next: () => string; readonly repeats: () => boolean } {
  let at = 0
  return { next: () => requests[at++ % requests.length] ?? '', repeats: () => at > requests.length }
}

const row = (name: string, { rate, p50, p99, slowest, cpu, failed }: Sample): string[] => [
  name,
  Math.round(rate).toLocaleString('en'),
  p50.toFixed(1),
  p99.toFixed(1),
  slowest.toFixed(0),
  cpu.toFixed(2),
  failed === 0 ? '' : `${failed} failed`,
]

const chain = await longChain()
const flags = ['--mining', 'manual', '--connections-per-address', '200']
const first = await spawnOurs(chain.data, flags)
const { last } = await read<{ last: { seqno: number } }>(first, 'getMasterchainInfo', {})
const kinds = kindsOf(await transactionsOf(first, last.seqno), last.seqno)
await stop(first)
// A process that has served nothing yet.
const service = await spawnOurs(chain.data, flags)
await settled(service.child.pid ?? 0)
const rows: string[][] = []
for (const { name, requests } of kinds) {
  const { next, repeats } = cycle(requests)
  const load = { port: service.port, pid: service.child.pid ?? 0, next }
  if (rows.length === 0) rows.push(row(`${name}: cold, 1`, await timedLoad({ ...load, callers: 1, ms: ROUND_MS / 4 })))
  for (const callers of CALLERS) {
    const sample = await timedLoad({ ...load, callers, ms: ROUND_MS })
    const isMarked = name.startsWith('getTransactions') && callers === 16
    const verdict = sample.rate >= WANTED ? 'met' : 'MISSED'
    const note = repeats() ? 'repeated' : ''
    rows.push([...row(`${name}: ${callers}`, sample), note, ...(isMarked ? [`≥ ${WANTED}`, verdict] : [])])
  }
}
const megabytes = residentOf(service.child.pid ?? 0)
await stop(service)
await chain.remove()
const head = ['what: callers', 'calls/s', 'p50 ms', 'p99 ms', 'max ms', 'cpu ms', '', '', 'mark', '']
console.log(aligned(head, rows))
console.log(`resident ${megabytes.toFixed(0)} MB\n${loadLine()}`)
