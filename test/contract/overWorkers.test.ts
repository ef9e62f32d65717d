// Worker processes answer as the first process does: every read of the documents, and pages of every list, over each database,
// and for a chain that is read over the network.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, callerOfEach } from '../setup/callers.ts'
import { drivers, dropDatabase, emptyDatabase } from '../setup/database.ts'
import { exampleReads, LISTS } from '../setup/everyRead.ts'
import { type RunningService, startBuilt } from '../setup/runningService.ts'

const FAR = 1_200_000
const STEP = 300_000
const PROCESSES = 3

const QUIET = ['--log-level', 'warn', '--limits', 'off', '--call-ms', '60000', '--statement-ms', '60000']

/** The code of JSON-RPC for an error of ours. */
const INTERNAL = -32_603
/** Its answer has the time. */
const DIFFERENT = ['getConsensusBlock']

const WORKERS = ['--workers', String(PROCESSES), ...QUIET]
// A block that is made between two answers would make them differ.
const DEMO = ['--seed', 'demo', '--block-time', '24h']

describe.each([...drivers, 'a network'])('over %s', (scene) => {
  let folder: string
  let owner: RunningService | null = null
  let database: string | null = null
  let service: RunningService
  /** A connection to each process. */
  let processes: Caller[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tonrpc-over-workers-'))
    if (scene === 'postgres') database = await emptyDatabase()
    if (scene === 'a network') {
      owner = await startBuilt([...DEMO, '--data', join(folder, 'owner'), '--lite-port', '0', ...QUIET])
      await owner.says(/demo played/)
    }
    const data = ['--data', join(folder, 'own'), ...(database === null ? [] : ['--database', database])]
    const servers = ['--network', 'custom', '--index-from', '1', '--liteservers']
    const chain = owner === null ? DEMO : [...servers, join(folder, 'owner', 'global.config.json')]
    service = await startBuilt([...data, ...chain, ...WORKERS])
    if (owner === null) await service.says(/demo played/)
    await vi.waitFor(async () => {
      const ready = await (await fetch(`${service.url}/readyz`)).text()
      expect(ready).toMatch(/"workers":"2 of 2 ready"/)
      expect(ready).toMatch(/"index":"block \d+, 0 behind"/)
    }, STEP)
    processes = [...(await callerOfEach(service, PROCESSES)).values()]
  }, FAR)

  afterAll(async () => {
    for (const one of processes) one[Symbol.dispose]()
    await service[Symbol.asyncDispose]()
    await owner?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    if (database !== null) await dropDatabase(database)
  })

  test('every example has the same answer at all processes, and none is an error of ours', {
    timeout: FAR,
  }, async () => {
    const differing: string[] = []
    const failing: string[] = []
    const reads = await exampleReads(service)
    expect(reads.length).toBeGreaterThan(60)
    for (const { method, params } of reads) {
      const bodies = await Promise.all(processes.map((one) => one.ask(method, params)))
      const texts = bodies.map((body) => JSON.stringify({ ...body, '@extra': null }))
      if (new Set(texts).size !== 1 && !DIFFERENT.includes(method)) differing.push(method)
      if (bodies.some(({ error }) => (error as { code?: number } | undefined)?.code === INTERNAL)) failing.push(method)
    }
    expect({ differing, failing }).toEqual({ differing: [], failing: [] })
  })

  test.each(LISTS)('%s has the same rows at all processes', { timeout: FAR }, async (path) => {
    const replies = await Promise.all(processes.map((one) => one.get(path)))
    const [first] = replies
    for (const { status, text } of replies) expect({ status, text }).toEqual({ status: 200, text: first?.text })
  })
})
