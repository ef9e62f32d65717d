// A clock that was years ahead and is put right, as that of a machine whose battery is empty.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../../setup/commands.ts'
import { jumpingClock } from '../../setup/jumpingClock.ts'
import { startBuilt } from '../../setup/runningService.ts'

const YEARS_10 = 87_600

interface Info {
  readonly last: { readonly seqno: number }
}

test('does not make the embedded database set its time limits again without end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-clock-back-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await using clock = await jumpingClock()
  await clock.jump(YEARS_10)
  // Between two blocks the database has nothing to do for longer than the ten seconds after which it writes its statistics.
  await using service = await startBuilt(['--data', folder, '--block-time', '15s'], { env: clock.env })
  const { seqno } = await call<{ seqno: number }>(service.url, 'dev.mine', { blocks: 3 })
  await expect.poll(async () => (await fetch(`${service.url}/api/v3/masterchainInfo`)).status).toBe(200)
  await clock.jump(0)
  const newest = async (): Promise<number> => (await call<Info>(service.url, 'getMasterchainInfo', {})).last.seqno
  await expect.poll(newest, { interval: 500 }).toBeGreaterThan(seqno + 1)
  expect(service.stderr()).not.toMatch(/TimeoutOverflowWarning/)
})
