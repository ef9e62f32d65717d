// What an operator reads of a stream of events once its reader has left: it was answered, and so many bytes were sent.

import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../../setup/service.ts'
import { eventually, openEvents } from '../../../setup/streams.ts'

type Line = Readonly<Record<string, unknown>>

test('a stream whose reader left is in the request log with its status and its bytes', async () => {
  const requestLog = join(tmpdir(), `tonrpc-streams-${randomUUID()}.log`)
  onTestFinished(() => rm(requestLog, { force: true }))
  await using service = await serve({ withIndex: true, config: { requestLog } })
  const requestId = randomUUID()
  const stream = await openEvents(service, { types: ['blocks'] }, { 'X-Request-Id': requestId })
  const first = await stream.frames.first(({ status }) => status === 'subscribed')
  stream.cut()
  const line = await eventually(async () => {
    const lines = (await readFile(requestLog, 'utf8')).split('\n').slice(0, -1)
    return lines.map((text) => JSON.parse(text) as Line).find((one) => one.requestId === requestId)
  })
  expect(line).toMatchObject({ verb: 'POST', path: '/api/streaming/v2/sse', error: null, status: 200 })
  expect(line.bytes).toBeGreaterThan(JSON.stringify(first).length)
})
