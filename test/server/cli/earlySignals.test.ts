// Signals that come before a start is over.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mainFile, run } from '../../setup/runningService.ts'

test('those of a log rotation do not end a start that takes long', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-signals-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const lists = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void lists.close())
  await once(lists, 'listening')
  const list = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/global.config.json`
  const asked = once(lists, 'request')
  const args = ['--data', folder, '--port', '0', '--network', 'custom', '--liteservers', list]
  await using start = run(process.execPath, [mainFile, ...args])
  const [, reply]: ServerResponse[] = await asked
  for (const signal of ['SIGHUP', 'SIGUSR2'] as const) start.child.kill(signal)
  reply?.writeHead(404).end()
  expect(await start.ended).toEqual({ code: 1, signal: null })
  expect(start.stderr()).toMatch(/cannot be fetched/)
})
