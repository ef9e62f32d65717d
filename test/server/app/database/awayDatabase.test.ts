// A start while the database of the index and of the keys is away.

import { expect, test, vi } from 'vitest'
import { createLog } from '../../../../server/observe/index.ts'
import { serve } from '../../../setup/service.ts'

test('a start without its database says once that it waits for it', async () => {
  const log = createLog({ format: 'json', level: 'silent' })
  const warn = vi.spyOn(log, 'warn')
  const database = 'postgres://tonrpc@127.0.0.1:1/index'
  await using service = await serve({ withIndex: true, config: { database }, log })
  const waits = () => warn.mock.calls.filter(([, text]) => text === 'waiting for the database')
  // Both the index and the keys are asked for, and have been looked for.
  const reads = ['/api/v3/masterchainInfo', '/api/keys/me'].map((path) =>
    fetch(service.url + path, { headers: { 'X-API-Key': 'unknown' } }),
  )
  expect((await Promise.all(reads)).map(({ ok }) => ok)).toEqual([false, false])
  expect(waits()).toHaveLength(1)
})
