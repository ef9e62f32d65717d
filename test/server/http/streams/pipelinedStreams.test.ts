// Streams that are requested on one connection, each before the answer to the one before.

import { expect, test } from 'vitest'
import { openRaw } from '../../../setup/rawSocket.ts'
import { serve } from '../../../setup/service.ts'
import { eventually, openEvents } from '../../../setup/streams.ts'

const BODY = JSON.stringify({ types: ['heads'] })
const STREAM = `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
const CALL = 'GET /api/v2/getMasterchainInfo HTTP/1.1\r\nHost: x\r\n\r\n'

const openStreams = async (url: string): Promise<number> =>
  Number(/^tonrpc_stream_connections (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])

test('behind an open stream no other one begins, as nothing of it would be sent', async () => {
  await using service = await serve({ withIndex: true })
  using raw = await openRaw(service.port)
  raw.write(CALL + STREAM.repeat(20))
  await raw.until(/"subscribed"/)
  // It comes after the twenty, and takes as long as one of them.
  const last = await openEvents(service, BODY)
  await last.frames.first(({ status }) => status === 'subscribed')
  expect(await openStreams(service.url)).toBe(2)
  raw.socket.destroy()
  last.cut()
  await eventually(async () => ((await openStreams(service.url)) === 0 ? true : undefined))
})
