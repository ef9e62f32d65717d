// Under Yarn's Plug'n'Play files are read out of archives, and `node:fs` is another one.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startBuilt } from '../../setup/runningService.ts'

const WITHOUT_SYNC = `import { open } from 'node:fs/promises'
const handle = await open(import.meta.filename)
const refuse = () => { throw new Error('a file in an archive cannot sync') }
Object.assign(Object.getPrototypeOf(handle), { sync: refuse, datasync: refuse })
await handle.close()
`

test('the service starts where handles of files cannot make them safe from a loss of power', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonrpc-handles-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const without = join(folder, 'without.mjs')
  writeFileSync(without, WITHOUT_SYNC)
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(without)}` }
  await using service = await startBuilt(['--data', join(folder, 'data'), '--log-level', 'error'], { cwd: folder, env })
  await vi.waitFor(async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200), { timeout: 300_000 })
  service.child.kill('SIGTERM')
  expect([(await service.ended).code, service.stderr()]).toEqual([0, ''])
})
