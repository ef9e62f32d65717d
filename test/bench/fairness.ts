// What one caller's worst does to another one: a caller with a key makes cheap reads, get-methods and pages at a steady
// pace while an attacker is at work, one kind after the other. The service as it ships, the attacker and the measured
// caller are processes of their own. `npm run bench -- fairness`; SECONDS=20 and CASES=flood,idle in the environment.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beginCell } from '@ton/core'
import { createClient } from '../../client/index.ts'
import { createFileKeyStore, type KeyOrder } from '../../server/access/index.ts'
import { aligned, loadLine } from './compare.ts'
import { NODE_OPTIONS } from './nodeOptions.ts'
import { spawnOurs, stop } from './started.ts'
import { untilPlayed } from './untilPlayed.ts'

const KINDS = ['none', 'flood', 'getMethods', 'batches', 'idle', 'messages', 'liteSockets', 'liteQueries'] as const

export interface Attack {
  readonly kind: (typeof KINDS)[number]
  readonly port: number
  readonly key: string
  /** The contract whose get-methods do not end. */
  readonly target: string
}

export interface Measuring {
  readonly port: number
  readonly key: string
  readonly wallet: string
  readonly seconds: number
}

export interface Measured {
  /** Milliseconds of every call, by its kind. */
  readonly times: Readonly<Record<string, readonly number[]>>
  readonly failed: Readonly<Record<string, number>>
}

const SECONDS = Number(process.env.SECONDS ?? 8)
const CASES = process.env.CASES?.split(',') ?? KINDS
/** Before the measured caller begins. */
const HEAD_START_MS = 1500

const TITLES: Readonly<Record<Attack['kind'], string>> = {
  none: 'no other caller',
  flood: 'a keyless socket floods frames',
  getMethods: 'a free key runs endless get-methods',
  batches: '20 batches of 100 of the heaviest pages',
  idle: '1000 idle sockets',
  messages: 'a contract sends itself messages without end',
  liteSockets: '100 sockets a second at the lite port',
  liteQueries: '60 lite clients ask the dearest queries',
}

/** Milliseconds. */
const MARKS: readonly (readonly [name: string, what: string, quantile: number, most: number])[] = [
  ['cheap', 'cheap read', 0.99, 100],
  ['getMethod', 'get-method', 0.99, 1000],
  ['lag', 'index lag', 1, 2000],
  ['health', '/healthz', 1, 200],
]

/** `SETCP0`, then a jump into itself, whatever is called. */
const ENDLESS = beginCell().storeBuffer(Buffer.from('ff0090ea', 'hex')).endCell()

/** On every message sends its whole value on to its own address: SETCP0; NEWC, 24 in 6 bits; MYADDR; zeros; mode 64. */
const SELF_SENDING = beginCell()
  .storeBuffer(Buffer.from('ff008018c8cb05f82801ce70fa027001cb6ac98040fb00', 'hex'))
  .endCell()

const quantile = (times: readonly number[], part: number): number => {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function start(file: string, argument: Attack | Measuring): ChildProcess {
  const path = fileURLToPath(new URL(`./${file}.ts`, import.meta.url))
  return fork(path, [JSON.stringify(argument)], { execArgv: NODE_OPTIONS })
}

const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
const store = createFileKeyStore(data)
const custom = { network: 'devnet', plan: 'custom', perSecond: 1_000_000, label: 'bench', expiresAt: null } as const
const newKey = async (order: Partial<KeyOrder> = {}) => (await store.create({ ...custom, ...order })).key
const key = await newKey()
const free = await newKey({ plan: 'free', perSecond: null })
const greedy = await newKey()
await store.close()

const room = ['--lite-port', '0', '--connections', '4000', '--connections-per-address', '2000', '--sockets', '2000']
// Refusals and timeouts are what the attackers are here for: not a line of log for each.
const service = await spawnOurs(data, ['--limits', 'on', ...room], { logLevel: 'error' })
const { port } = service
const client = createClient({ url: `http://127.0.0.1:${port}`, apiKey: key, timeoutMs: 60_000 })

const ENDLESS_ADDRESS = `0:${'ee'.repeat(32)}`
const SENDER_ADDRESS = `0:${'dd'.repeat(32)}`

async function startMessages(): Promise<void> {
  const balance = String(10n ** 15n)
  await client.dev.setAccount({ address: SENDER_ADDRESS, balance, code: SELF_SENDING.toBoc().toString('base64') })
  const call = { from: ENDLESS_ADDRESS, to: SENDER_ADDRESS, value: balance, bounce: false }
  // Its trace has no end, so the answer may not come.
  client.dev.sendInternal(call).catch(() => undefined)
}

async function run(kind: Attack['kind'], wallet: string): Promise<{ row: string[]; missed: string[] }> {
  if (kind === 'messages') await startMessages()
  const attacker = start('fairnessAttack', {
    kind,
    port,
    key: kind === 'batches' ? greedy : free,
    target: ENDLESS_ADDRESS,
  })
  let counts: unknown = {}
  attacker.on('message', (message: { counts: unknown }) => {
    counts = message.counts
  })
  await once(attacker, 'message')
  await pause(HEAD_START_MS)
  const caller = start('fairnessCaller', { port, key, wallet, seconds: SECONDS })
  const [{ times, failed }] = (await once(caller, 'message')) as [Measured]
  const gone = once(attacker, 'exit')
  attacker.kill('SIGKILL')
  await gone
  console.log(
    `${TITLES[kind]}: ${JSON.stringify(counts)}${Object.keys(failed).length > 0 ? ` failed ${JSON.stringify(failed)}` : ''}`,
  )
  const columnsOf = (name: string, parts: readonly number[]) =>
    parts.map((part) => quantile(times[name] ?? [], part).toFixed(0)).join(' / ')
  const missed = MARKS.filter(([name, , part, most]) => !(quantile(times[name] ?? [], part) < most))
  const row = [
    TITLES[kind],
    ...['cheap', 'getMethod', 'page'].map((name) => columnsOf(name, [0.5, 0.99])),
    columnsOf('lag', [1]),
    columnsOf('health', [1]),
    missed.length === 0 ? 'met' : 'MISSED',
  ]
  return { row, missed: missed.map(([, what, , most]) => `${TITLES[kind]}: ${what} ≥ ${most} ms`) }
}

const head = ['ms', 'cheap read p50 / p99', 'get-method', 'v3 page', 'index lag', '/healthz', '']
const rows: string[][] = []
const missed: string[] = []
try {
  await untilPlayed(client)
  const { accounts } = await client.dev.state()
  const wallet = accounts.find((account) => account.kind === 'v4r2')?.address ?? ''
  await client.dev.setAccount({
    address: ENDLESS_ADDRESS,
    balance: String(10n ** 12n),
    code: ENDLESS.toBoc().toString('base64'),
  })
  for (const kind of KINDS) {
    if (!CASES.includes(kind)) continue
    const result = await run(kind, wallet)
    rows.push(result.row)
    missed.push(...result.missed)
    await pause(1000)
  }
  console.log(`\n${aligned(head, rows)}\n${loadLine()}`)
  console.log(missed.length === 0 ? 'all marks met' : `MISSED\n${missed.join('\n')}`)
} finally {
  await stop(service)
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
}
