// Notifications of many megabytes one after the other, such as those of one long trace: a reader at full speed takes them all.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { unreadBytes } from '../../../server/http/streams/gathered.ts'
import { pacedSink } from '../../../server/http/streams/paced.ts'
import { writeFrame } from '../../../server/http/streams/textFrames.ts'
import { emit } from '../../../server/streaming/emit.ts'
import type { NotificationType } from '../../../server/streaming/notifications/notification.ts'
import { ReportPace } from '../../../server/streaming/reportPace.ts'
import { audienceOf, RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { Subscriber } from '../../../server/streaming/subscriber.ts'
import { emitParts } from '../../setup/emitParts.ts'
import { HandClock } from '../../setup/handClock.ts'
import { textReader } from '../../setup/textReader.ts'

const ADDRESS = `0:${'12'.repeat(32)}`
/** More than the system takes of one write to a connection. */
const LARGE = 1 << 24
const NOTICES = 3
const PACE = { streamBytes: 1 << 20, streamBytesPerSecond: 1 << 14 }

const large: NotificationType<number> = {
  name: 'blocks',
  place: 0,
  finality: () => 'finalized',
  audience: (_, routes) => audienceOf(routes.ofAddress(ADDRESS)),
  selector: (n) => ({ key: () => '', write: () => ({ members: { n, text: 'x'.repeat(LARGE) }, accounts: null }) }),
}

/** Both ends of a connection. */
async function connection(): Promise<{ readonly own: Socket; readonly reader: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const reader = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  const [own]: Socket[] = await once(server, 'connection')
  if (own === undefined) throw new Error('nobody came')
  onTestFinished(() => {
    for (const one of [own, reader]) one.destroy()
    server.close()
  })
  return { own, reader }
}

async function scene() {
  const { own, reader } = await connection()
  const clock = new HandClock()
  let slow = 0
  const wire = {
    isClosed: false,
    write: (text: string) => writeFrame(own, text),
    unread: () => unreadBytes(own, PACE.streamBytes / 4),
    onTaken: (callback: () => void) => void setTimeout(callback, 5),
    tooSlow: () => undefined,
    fail: () => undefined,
  }
  const sink = pacedSink(wire, PACE, () => slow++, clock.after)
  const { subscription } = textReader([], { types: new Set(['blocks']), addresses: new Set([ADDRESS]) })
  const routes = new RoutesToMany()
  routes.add(new Subscriber(sink, subscription))
  const parts = emitParts({ routes, pace: new ReportPace(() => 0) })
  const report = async (): Promise<void> => {
    for (let n = 0; n < NOTICES; n++) await emit(parts, large, n, () => 'a cursor')
  }
  return { reader, clock, report, slow: () => slow }
}

test('it is given time to take each', async () => {
  const { reader, report, slow } = await scene()
  let taken = 0
  reader.on('data', ({ length }) => {
    taken += length
  })
  await report()
  while (taken < NOTICES * LARGE && slow() === 0) await sleep(5)
  expect(slow()).toBe(0)
})

test('one that takes nothing has a part of a second, and is ended by the next', async () => {
  const { clock, report, slow } = await scene()
  const reported = report()
  while (clock.limits.size === 0) await sleep(5)
  expect(slow()).toBe(0)
  await clock.advance(250)
  await reported
  expect([slow(), clock.limits.size]).toEqual([1, 0])
})
