// A block of mainnet, half a megabyte: fetched over ADNL from a lite server in another process, verified, parsed, and its
// rows written into the embedded database on disk. Measures the fetching process with all its threads, and apart from each
// other its own thread, that of the database, and those of the garbage collector and the compiler.

import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inOnePiece } from '../../server/cell/index.ts'
import { type BlockFacts, codeRow, parseBlock } from '../../server/facts/index.ts'
import { WorkingSet } from '../../server/facts/trace/workingSet.ts'
import type { AccountRows } from '../../server/indexer/accounts/accountBook.ts'
import { asClassified, Classifier } from '../../server/indexer/actions/classifier.ts'
import { makingBatchRows } from '../../server/indexer/batchRows.ts'
import { connectLiteServer, createRemoteChain } from '../../server/node/index.ts'
import { type MasterBlockRows, openDatabase, writeMasterBlocks } from '../../server/store/index.ts'
import { openFixture } from '../server/facts/parse/namedBlocks.ts'
import { type Bounded, boundsTable } from './compare.ts'
import type { Listening } from './networkServer.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'

const ROUNDS = 15
/** The first rounds measure the compilers: of JavaScript up to the tenth, of the database's code up to the thirtieth. */
const COLD_ROUNDS = 10
const WARM_ROUNDS = 30
const MOST_CPU_MS = 150

const { id, bytes } = openFixture('block-1')
const server = fork(fileURLToPath(new URL('./networkServer.ts', import.meta.url)), { execArgv: NODE_OPTIONS })
const [{ port, key }] = (await once(server, 'message')) as [Listening]
const address = { name: 'network', host: '127.0.0.1', port, key: Buffer.from(key, 'base64'), slices: null }
const connection = await connectLiteServer(address, new AbortController().signal)
const chain = createRemoteChain(connection)
const folder = await mkdtemp(join(tmpdir(), 'tonrpc-bench-'))
const threadsBefore = new Set(processorOfThreads().keys())
const database = await openDatabase({ database: 'pglite', folder })

const leftOut = { accounts: 0 }

/** Only accounts the block shows whole; the others would be read from the state, which is not here. */
function accountRows({ accounts }: BlockFacts): AccountRows {
  const whole = accounts.flatMap((facts) => {
    const { account, lastTxHash, lastTxLt, state, data, code } = facts
    if (state === 'incomplete' || data === 'incomplete') return []
    const row = { account, lastTxHash, lastTxLt, data, mcSeqno: 1, ...state }
    return [{ row, state, code: code === 'incomplete' || code === null ? null : codeRow(code) }]
  })
  leftOut.accounts = accounts.length - whole.length
  return {
    accounts: whole.map(({ row }) => row),
    accountStates: whole.flatMap(({ state }) => (state.status === 'nonexist' ? [] : [state])),
    codes: whole.flatMap(({ code }) => code ?? []),
  }
}

function rowsOf(facts: BlockFacts): MasterBlockRows {
  const master = { id, previous: [], facts, fromNobody: new Set<string>(), keyRoot: null }
  const step = { master, shards: [], tip: { id, tops: new Set<string>(), globalVersion: undefined } }
  const steps = [{ step, accounts: accountRows(facts), born: null }]
  const cursor = { network: 'mainnet', firstMcSeqno: 1 }
  const rows = inOnePiece(makingBatchRows({ steps, set: new WorkingSet([], true), cursor, previous: null }))
  return { ...rows, traces: rows.traces.map(asClassified) }
}

/** The same as if they were of a later block: other accounts, hashes and numbers, and only code that is known. */
function ofAnother(rows: MasterBlockRows, number: number): MasterBlockRows {
  const mask = createHash('sha256').update(String(number)).digest()
  const hashed = (bytes: Uint8Array): Uint8Array => {
    const first = bytes.length - mask.length
    return first === 0 || first === 1 ? bytes.map((byte, i) => byte ^ (mask[i - first] ?? 0)) : bytes
  }
  const changed = (value: unknown, name: string): unknown => {
    if (value instanceof Uint8Array) return hashed(value)
    if (typeof value === 'number' && /^(mcSeqno\w*|lastMcSeqno|seqno)$/.test(name)) return value + number
    if (Array.isArray(value)) return value.map((one) => changed(one, ''))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, changed(one, key)]))
  }
  const other = changed(rows, '') as MasterBlockRows
  return { ...other, codes: number === 0 ? rows.codes : [], previous: number === 0 ? null : id.seqno + number - 1 }
}

interface Stage {
  readonly cpu: number
  readonly wall: number
}

/** Milliseconds of each thread since it began; empty where the system does not say. */
function processorOfThreads(): Map<string, number> {
  const folder = '/proc/self/task'
  const threads = existsSync(folder) ? readdirSync(folder) : []
  const msOf = (thread: string): number =>
    Number(readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ')[0]) / 1e6
  return new Map(threads.map((thread) => [thread, msOf(thread)]))
}

const OWNERS = ['our thread', 'the database', 'collector and compiler'] as const
type Owner = (typeof OWNERS)[number]

/** Of the threads that came with the database, the one that works is it. */
function processorByOwner(): Readonly<Record<Owner, number>> {
  const threads = processorOfThreads()
  const added = [...threads].filter(([thread]) => !threadsBefore.has(thread))
  const own = threads.get(String(process.pid)) ?? 0
  const theirs = Math.max(0, ...added.map(([, ms]) => ms))
  const all = [...threads.values()].reduce((sum, ms) => sum + ms, 0)
  return { 'our thread': own, 'the database': theirs, 'collector and compiler': all - own - theirs }
}

async function measured<T>(stages: Stage[], work: () => T | Promise<T>): Promise<T> {
  const began = performance.now()
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  stages.push({ cpu: (user + system) / 1000, wall: performance.now() - began })
  return result
}

const STAGES = ['fetched and verified', 'parsed', 'rows made', 'classified', 'written']
const classifier = new Classifier(database, () => {})

async function round(number: number): Promise<Round> {
  const stages: Stage[] = []
  const before = processorByOwner()
  const block = await measured(stages, () => chain.block(id))
  const facts = await measured(stages, () => parseBlock(id, block.root, { mcSeqno: 1 }))
  const rows = await measured(stages, () => rowsOf(facts))
  const found = await measured(stages, () =>
    classifier.classify(rows, [{ accounts: rows.accounts, found: null, codes: [] }]),
  )
  const between = processorByOwner()
  const other = ofAnother(rows, number)
  const after = processorByOwner()
  const actions = number === 0 ? found : { actions: [], failed: [], broken: [] }
  await measured(stages, () => database.transaction((sql) => writeMasterBlocks(sql, other, actions)))
  const end = processorByOwner()
  const ms = (owner: Owner): number => between[owner] - before[owner] + end[owner] - after[owner]
  return {
    stages,
    byOwner: {
      'our thread': ms('our thread'),
      'the database': ms('the database'),
      'collector and compiler': ms('collector and compiler'),
    },
  }
}

interface Round {
  readonly stages: readonly Stage[]
  readonly byOwner: Readonly<Record<Owner, number>>
}

function report(all: readonly Round[]): void {
  const rounds = all.map(({ stages }) => stages)
  const warm = rounds.slice(WARM_ROUNDS)
  const sum = (stages: readonly Stage[], kind: keyof Stage): number => stages.reduce((all, one) => all + one[kind], 0)
  const bounded = (name: string, atMost: number | null, values: readonly number[]): Bounded => ({
    name,
    unit: 'ms',
    atMost,
    values,
  })
  const inAll = (kind: keyof Stage): number[] => warm.map((stages) => sum(stages, kind))
  const stage = (i: number, kind: keyof Stage): number[] => warm.map((stages) => stages[i]?.[kind] ?? 0)
  const cold = (from: number, to: number): number[] => rounds.slice(from, to).map((stages) => sum(stages, 'cpu'))
  const rows = [
    bounded(`a block of ${Math.round(bytes.length / 1000)} kB, processor`, MOST_CPU_MS, inAll('cpu')),
    ...OWNERS.map((owner) =>
      bounded(
        `   of ${owner}`,
        null,
        all.slice(WARM_ROUNDS).map(({ byOwner }) => byOwner[owner]),
      ),
    ),
    bounded('   until it is written', null, inAll('wall')),
    ...STAGES.map((name, i) => bounded(`   ${name}, processor`, null, stage(i, 'cpu'))),
    ...STAGES.map((name, i) => bounded(`   ${name}`, null, stage(i, 'wall'))),
    bounded('the first time, processor', null, cold(0, 1)),
    bounded(`after ${COLD_ROUNDS} blocks, processor`, null, cold(COLD_ROUNDS, WARM_ROUNDS)),
  ]
  console.log(boundsTable(rows))
  console.log(
    '\nleft out: the masterchain block that registers it and its proof, the blocks before it, and ' +
      `${leftOut.accounts} of its accounts, which it shows in part`,
  )
}

try {
  const rounds: Round[] = []
  for (let i = 0; i < WARM_ROUNDS + ROUNDS; i++) rounds.push(await round(i))
  report(rounds)
} finally {
  connection.close()
  await database.close()
  server.kill()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
