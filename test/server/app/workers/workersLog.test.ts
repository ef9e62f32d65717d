// Worker processes go on when the program that reads the log of the service has ended, such as `head` in `npm start | head`.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { callerOfEach, workersOf } from '../../../setup/callers.ts'
import { startBuilt } from '../../../setup/runningService.ts'
import { traceCollector } from '../../../setup/traceCollector.ts'

test('a log that nobody reads any more ends no worker', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-workers-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await using collector = await traceCollector()
  const flags = ['--workers', '3', '--limits', 'off', '--otlp-endpoint', collector.url]
  await using service = await startBuilt(['--data', folder, ...flags])
  while (!/"workers":"2 of 2 ready"/.test(await (await fetch(`${service.url}/readyz`)).text())) await sleep(50)
  const workers = workersOf(service)
  service.child.stdout?.destroy()
  service.child.stderr?.destroy()
  // Each process then logs that its traces cannot be sent.
  collector.answer(503)
  const posted = collector.paths.length
  const callers = await callerOfEach(service, 3)
  for (const one of callers.values()) expect(await one.ask('getMasterchainInfo')).toMatchObject({ ok: true })
  await expect.poll(() => collector.paths.length - posted, { timeout: 300_000 }).toBeGreaterThanOrEqual(6)
  expect(workersOf(service)).toEqual(workers)
  for (const one of callers.values()) expect(await one.ask('getMasterchainInfo')).toMatchObject({ ok: true })
  for (const one of callers.values()) one[Symbol.dispose]()
})
