// A stop ends the streams, also those whose request was still arriving when it began.

import { expect, test } from 'vitest'
import { openRaw, repliesIn } from '../../setup/rawSocket.ts'
import { serve } from '../../setup/service.ts'

/** No machine is so busy. */
const LONG_MS = 300_000
const BODY = JSON.stringify({ types: ['blocks'] })
const HEAD = `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Length: ${BODY.length}\r\n\r\n`

test('a stream whose request was still arriving when the service began to stop does not keep it', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' }, limits: { drainMs: LONG_MS } })
  using open = await openRaw(service.port)
  open.write(HEAD + BODY)
  await open.until(/subscribed/)
  using late = await openRaw(service.port)
  late.write(HEAD + BODY.slice(0, 5))
  // The service has read the head.
  using other = await openRaw(service.port)
  other.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await other.until(/alive/)
  const closing = service.close()
  await open.end()
  late.write(BODY.slice(5))
  const [refused] = repliesIn(await late.end())
  expect([refused?.status, refused?.headers['retry-after']]).toEqual([503, '1'])
  expect(refused?.body).toContain('The service is stopping')
  await closing
})
