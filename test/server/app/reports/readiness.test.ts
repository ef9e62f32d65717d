// A service whose chain can write no block says that it is not ready, though its index is, and is ready again by itself. Its
// files may grow no further than a limit of the system on the process, which needs no rights to set.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startBuilt } from '../../../setup/runningService.ts'

const PATIENCE = { timeout: 300_000 }

interface Ready {
  readonly checks: { readonly chain: string; readonly index: string }
}

test.runIf(process.platform === 'linux')('no block can be made: not ready, until one can', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-ready-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  await using service = await startBuilt(['--data', data, '--mining', 'manual'])
  const limitFiles = (size: string) =>
    promisify(execFile)('prlimit', [`--pid=${service.child.pid}`, `--fsize=${size}:unlimited`])
  const mine = async (): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dev.mine', params: { blocks: 1 } })
    const headers = { 'Content-Type': 'application/json' }
    return await (await fetch(`${service.url}/jsonRPC`, { method: 'POST', headers, body })).text()
  }
  const readiness = async () => {
    const reply = await fetch(`${service.url}/readyz`)
    // The cast: the shape of its answer.
    return { status: reply.status, ...((await reply.json()) as Ready) }
  }
  const isReady = async () => (await readiness()).status === 200
  await expect.poll(isReady, PATIENCE).toBe(true)
  expect(await mine()).toContain('"result"')
  // The index has all there is.
  await expect.poll(async () => (await readiness()).checks.index, PATIENCE).toMatch(/^block \d+, 0 behind$/)
  await limitFiles('1')
  expect(await mine()).toContain('"error"')
  const { status, checks } = await readiness()
  expect(checks.chain).toMatch(/no block can be made: No room on the disk/)
  expect(status).toBe(503)
  await limitFiles('unlimited')
  expect(await mine()).toContain('"result"')
  await expect.poll(isReady, PATIENCE).toBe(true)
})
