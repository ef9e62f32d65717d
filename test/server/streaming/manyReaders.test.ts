// One notification for a thousand readers: others get their turn in between, and who leaves meanwhile is sent nothing more.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { emit } from '../../../server/streaming/emit.ts'
import { Forgetting } from '../../../server/streaming/forgetting.ts'
import type { NotificationType } from '../../../server/streaming/notifications/notification.ts'
import { audienceOf, RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import { emitParts } from '../../setup/emitParts.ts'
import { textReader } from '../../setup/textReader.ts'

const ADDRESS = `0:${'12'.repeat(32)}`
const READERS = 1000

const notices: NotificationType<{ readonly n: number }> = {
  name: 'blocks',
  place: 0,
  finality: () => 'finalized',
  audience: (_, routes) => audienceOf(routes.ofAddress(ADDRESS)),
  selector: ({ n }) => ({ key: () => '', write: () => ({ members: { n }, accounts: null }) }),
}

const reader = (sent: string[], supportedTypes = new Set<string>()) =>
  textReader(sent, { types: new Set(['blocks']), addresses: new Set([ADDRESS]), supportedTypes })

test('between a few readers and the next few others get their turn; who has left by then is left out', async () => {
  const routes = new RoutesToMany()
  const sent: string[] = []
  const readers = Array.from({ length: READERS }, () => reader(sent))
  for (const one of readers) routes.add(one)
  const [last] = readers.slice(-1)
  const sentAtRests: number[] = []
  const pace = {
    isDue: true,
    async rest() {
      sentAtRests.push(sent.length)
      await nextTurn()
      last?.end()
    },
  }
  await emit(emitParts({ routes, pace }), notices, { n: 7 }, () => 'a cursor')
  expect(sent).toHaveLength(READERS - 1)
  expect(new Set(sent).size).toBe(1)
  const steps = sentAtRests.map((count, i) => count - (sentAtRests[i - 1] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(16)
})

test('others get their turn between notifications that are another one for each reader', async () => {
  let written = 0
  const own: typeof notices = {
    ...notices,
    selector: () => ({
      key: ({ supportedTypes }) => [...supportedTypes].join(),
      write: () => ({ members: { n: ++written }, accounts: null }),
    }),
  }
  const routes = new RoutesToMany()
  const sent: string[] = []
  for (let i = 0; i < READERS; i++) routes.add(reader(sent, new Set([String(i)])))
  const writtenAtRests: number[] = []
  const rest = async () => void writtenAtRests.push(written)
  await emit(emitParts({ routes, pace: { isDue: true, rest } }), own, { n: 7 }, () => 'a cursor')
  expect(new Set(sent).size).toBe(READERS)
  const steps = writtenAtRests.map((count, i) => count - (writtenAtRests[i - 1] ?? 0))
  expect(Math.max(...steps)).toBe(1)
})

test('names of one that has ended lead to nobody, once they are forgotten', async () => {
  const routes = new RoutesToMany()
  const sent: string[] = []
  const one = reader(sent)
  routes.add(one)
  const forgetting = new Forgetting()
  let others = 0
  forgetting.add(routes.drop(one))
  for (let i = 0; i < 10; i++) forgetting.add(() => void others++)
  one.end()
  expect([routes.all.size, routes.ofType('blocks').size, routes.ofAddress(ADDRESS).size, others]).toEqual([0, 0, 1, 0])
  await emit(
    emitParts({ routes, pace: { isDue: false, rest: () => Promise.resolve() } }),
    ...([notices, { n: 7 }, () => 'a cursor'] as const),
  )
  expect(sent).toEqual([])
  while (routes.ofAddress(ADDRESS).size > 0 || others < 10) await nextTurn()
  // Those that come after the last was forgotten are too.
  forgetting.add(() => void others++)
  while (others < 11) await nextTurn()
})

test('others get their turn while it is found out what each of them receives', async () => {
  const routes = new RoutesToMany()
  for (let i = 0; i < READERS; i++) routes.add(reader([]))
  let rests = 0
  const rest = async (): Promise<void> => {
    rests++
    await nextTurn()
  }
  const nothing = { ...notices, selector: () => ({ key: () => null, write: () => ({ members: {}, accounts: null }) }) }
  const parts = emitParts({ routes, pace: { isDue: true, rest } })
  await emit(parts, nothing, { n: 1 }, () => 'a cursor')
  expect(rests).toBe(READERS - 1)
})
