// A service that could not start.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Settings } from '../../../server/app/settings/settings.ts'
import { startService } from '../../../server/app/startService.ts'
import { createLog } from '../../../server/observe/index.ts'
import { RefusedThreads } from '../../setup/refusedThreads.ts'

test('listens for refused threads no more, whatever part failed first', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-failed-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const warnings: string[] = []
  const log = Object.assign(createLog({ format: 'json', level: 'silent' }), {
    warn: (_: object, text: string) => void warnings.push(text),
  })
  const config = Settings.parse({ port: 0, data, logLevel: 'silent', seed: 'none' })
  const failing = [
    { config: { ...config, otlpEndpoint: 'no address' }, log },
    { config: { ...config, network: 'custom' as const, forkFrom: 'mainnet' as const }, log, withoutIndex: true },
  ]
  for (const parts of failing) await expect(startService(parts)).rejects.toThrow()
  const service = await startService({ config, log, withoutIndex: true })
  await service.close()
  expect(new RefusedThreads().start(new URL('data:text/javascript,'), {})).toBeNull()
  expect(warnings).toEqual([])
})
