// The folder in which a service was started is removed while it runs, as that of an older release is.

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startBuilt } from '../../setup/runningService.ts'

const ELECTOR = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF'

test('threads that start afterwards, of documents and of get-methods, do their work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-removed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const release = join(folder, 'release')
  await mkdir(release)
  await using service = await startBuilt(['--data', join(folder, 'data')], { cwd: release })
  await rm(release, { recursive: true })
  const document = await fetch(`${service.url}/openapi/v3.json`)
  expect([document.status, await document.json()]).toMatchObject([200, { openapi: expect.any(String) }])
  const call = { address: ELECTOR, method: 'active_election_id', stack: [] }
  const run = await fetch(`${service.url}/api/v2/runGetMethod`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(call),
  })
  expect(await run.json()).toMatchObject({ ok: true, result: { exit_code: 0 } })
})
