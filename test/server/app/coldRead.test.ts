// How much code one uncached call passes through: a newcomer who follows a request reads that many files.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../setup/runningService.ts'

/** Those of HTTP included. */
const MOST_FILES = 60
/** What a call in the same process would pass through. */
const MOST_WITHOUT_HTTP = 47

/** Counts functions from the second request on: what a connection costs once is no part of a call. */
const program = (data: string, mining: string) => `
  import { get, Agent } from 'node:http'
  import { Session } from 'node:inspector/promises'
  const { Settings, startService } = await import(${JSON.stringify(pathToFileURL(join(root, '.build/server/app/index.js')).href)})
  const log = new Proxy({}, { get: (_, name) => (name === 'child' ? () => log : () => undefined) })
  const settings = { port: 0, seed: 'none', mining: ${JSON.stringify(mining)}, data: ${JSON.stringify(data)} }
  const service = await startService({ config: Settings.parse(settings), log, withoutIndex: true })
  const agent = new Agent({ keepAlive: true })
  const read = (path) => new Promise((resolve, reject) => {
    get(service.url + path, { agent }, async (res) => resolve((await res.toArray()).join(''))).on('error', reject)
  })
  await read('/healthz')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const enteredNow = async () => (await session.post('Profiler.takePreciseCoverage')).result.filter(
    ({ url, functions }) => url.includes('/.build/') && functions.some(({ ranges }) => ranges[0].count > 0))
  // What runs by itself after a start has ended when two turns enter nothing.
  for (let quiet = 0; quiet < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    quiet = (await enteredNow()).length === 0 ? quiet + 1 : 0
  }
  const answer = await read('/api/v2/getAddressInformation?address=0:' + '11'.repeat(32))
  const entered = await enteredNow()
  await service.close()
  console.log(JSON.stringify({ ok: JSON.parse(answer).ok, files: entered.map(({ url }) => url.split('/.build/')[1]).sort() }))
  process.exit(0)
`

// Timers of a busy machine can only add files, so the lowest of some counts is that of the call.
test.each(['manual', 'auto'])(
  'mining %s: an uncached read of an account passes through few files',
  { retry: 20 },
  (mining) => {
    const data = mkdtempSync(join(tmpdir(), 'cold-read-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program(data, mining)], {
      encoding: 'utf8',
    })
    const { ok, files } = JSON.parse(out) as { ok: boolean; files: string[] }
    expect(ok).toBe(true)
    expect(files).toContain('server/methods/dispatch/dispatch.js')
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES)
    const others = files.filter((file) => !file.startsWith('server/http/'))
    expect(others.length, others.join('\n')).toBeLessThanOrEqual(MOST_WITHOUT_HTTP)
  },
)
