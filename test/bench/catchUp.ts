// An empty index catches up with a chain of 120,000 transactions, in the built service as it ships: transactions a second, and
// what one takes of the processor, thread by thread. `npm run bench -- catchUp`; LONG_CHAIN=folder keeps the chain, which takes
// minutes to fill, with TRANSACTIONS=20000 a shorter one. DATABASE=postgres://... names an empty database on this machine,
// instead of the embedded one. BUILD=folder names another checkout that is built: both run in turn.

import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../server/store/index.ts'
import { forgetAllRows } from '../../server/store/write/rollback.ts'
import { aligned, loadLine } from './compare.ts'
import { indexed, longChain, TRANSACTIONS } from './longChain.ts'
import { databaseProcessor, takenBetween, threadsOf } from './processor.ts'
import { spawnOurs, stop } from './started.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const DATABASE = process.env.DATABASE
const BUILDS = [undefined, process.env.BUILD].filter((build, i) => i === 0 || build !== undefined)
/** Threads that took less are left out. */
const FEW_US = 10

const nameOf = (address: string): string => new URL(address).pathname.slice(1)
const ofDatabase = (): Map<string, number> =>
  DATABASE === undefined ? new Map<string, number>() : databaseProcessor(nameOf(DATABASE))

async function empty(data: string): Promise<void> {
  if (DATABASE === undefined) return await rm(join(data, 'index'), { recursive: true, force: true })
  const database = await openDatabase({ database: DATABASE })
  await database.transaction(forgetAllRows)
  await database.close()
}

const micros = (ms: number): number => Math.round((ms * 1000) / TRANSACTIONS)

/** What one run took, in words of the columns. */
async function run(data: string, build: string | undefined): Promise<readonly string[]> {
  await empty(data)
  const spawned = ([main = '', ...args]: readonly string[]) => {
    const entry = build === undefined ? main : join(build, '.build/bin/main.js')
    return spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const flags = ['--mining', 'manual', '--metadata', 'off', ...(DATABASE === undefined ? [] : ['--database', DATABASE])]
  const service = await spawnOurs(data, flags, { spawned })
  const pid = service.child.pid ?? 0
  const began = performance.now()
  const threads = threadsOf(pid)
  const server = ofDatabase()
  await indexed(service)
  const seconds = (performance.now() - began) / 1000
  const after = threadsOf(pid)
  const each = [...after].map(([thread, ms]) => micros(ms - (threads.get(thread) ?? 0)))
  const database = takenBetween(server, ofDatabase())
  await stop(service)
  const [main = 0, ...others] = each
  const large = others.filter((us) => us >= FEW_US).sort((a, b) => b - a)
  return [
    build ?? 'this build',
    (TRANSACTIONS / seconds).toFixed(0),
    String(micros(takenBetween(threads, after))),
    String(main),
    large.join(' '),
    String(micros(database)),
    loadLine(),
  ]
}

const HEAD = ['build', 'tx/s', 'us of a tx', 'main thread', 'other threads', 'PostgreSQL', 'load']

const chain = await longChain()
try {
  const rows: (readonly string[])[] = []
  for (let round = 0; round < ROUNDS; round++) for (const build of BUILDS) rows.push(await run(chain.data, build))
  console.log(aligned(HEAD, rows))
} finally {
  await chain.remove()
}
