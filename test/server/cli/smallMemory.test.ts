// A service in a small container, which kills what takes more than it has, if only for a moment.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startBuilt } from '../../setup/runningService.ts'

// Elsewhere the system does not say how much a process had.
test.runIf(process.platform === 'linux')('a start takes much more memory at no moment than it has later', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-small-'))
  try {
    await using service = await startBuilt(['--data', data, '--memory', '384'])
    const statusOf = async (limit: number) => (await fetch(`${service.url}/api/v3/transactions?limit=${limit}`)).status
    await expect.poll(() => statusOf(1)).toBe(200)
    for (let limit = 1; limit < 100; limit++) expect(await statusOf(limit)).toBe(200)
    const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8')
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])).toBeLessThan(600_000)
  } finally {
    await rm(data, { recursive: true })
  }
})
