// Frames that are gathered in a turn of the event loop, to a real connection.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { unreadBytes } from '../../../server/http/streams/gathered.ts'
import { writeFrame } from '../../../server/http/streams/textFrames.ts'

async function connected(): Promise<{ readonly from: Socket; readonly to: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const to = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [from] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    to.destroy()
    from.destroy()
    server.close()
  })
  return { from, to }
}

test('what is gathered does not count as unread before the connection was offered it, and keeps its order', async () => {
  const { from, to } = await connected()
  const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(100))
  for (const text of texts.slice(0, 4)) writeFrame(from, text)
  expect(from.writableLength).toBe(4 * 102)
  expect(unreadBytes(from, 4 * 102)).toBe(4 * 102)
  expect(unreadBytes(from, 100)).toBe(0)
  for (const text of texts.slice(4)) writeFrame(from, text)
  expect(from.writableLength).toBe(4 * 102)
  let bytes = Buffer.alloc(0)
  while (bytes.length < 8 * 102) bytes = Buffer.concat([bytes, (await once(to, 'data'))[0] as Buffer])
  const frame = (text: string) => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)])
  expect(bytes).toEqual(Buffer.concat(texts.map(frame)))
})
