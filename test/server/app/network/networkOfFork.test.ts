// The network of a fork that cannot be opened.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { networkOfFork } from '../../../../server/app/network/networkOfFork.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'
import { connectLiteServer } from '../../../../server/node/index.ts'
import { createLog } from '../../../../server/observe/index.ts'

test('behavior: is tried again after a pause that grows, and not for every read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const liteservers = join(data, 'list.json')
  const config = Settings.parse({ data, forkFrom: 'custom', liteservers })
  const network = networkOfFork(config, createLog({ format: 'json', level: 'silent' }), connectLiteServer)
  const read = () => expect(network?.chain()).rejects
  await read().toThrow(/no such file/)
  await writeFile(liteservers, '{}')
  await read().toThrow(/no such file/)
  vi.advanceTimersByTime(1_000)
  await read().not.toThrow(/no such file/)
  await rm(liteservers)
  vi.advanceTimersByTime(1_999)
  await read().not.toThrow(/no such file/)
  vi.advanceTimersByTime(1)
  await read().toThrow(/no such file/)
  await network?.close()
})
