// Messages of a long trace for many readers, each of whom named hundreds of opcodes: others get their turn, and what is equal is made
// and kept once.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type LiveTrace, rawOfKey } from '../../../server/methods/index.ts'
import { keyOfAccount } from '../../../server/methods/keyOfAccount.ts'
import { emit } from '../../../server/streaming/emit.ts'
import { messageNotices } from '../../../server/streaming/notifications/messageNotices.ts'
import type { NotificationType } from '../../../server/streaming/notifications/notification.ts'
import { type Audience, RoutesToMany } from '../../../server/streaming/streamRoutes.ts'
import type { Subscriber } from '../../../server/streaming/subscriber.ts'
import { emitParts, unwantedBooks } from '../../setup/emitParts.ts'
import { filledRows } from '../../setup/filler.ts'
import type { Frame } from '../../setup/streams.ts'
import { textReader } from '../../setup/textReader.ts'
import { withMessages } from '../../setup/withMessages.ts'

const LENGTH = 300
const READERS = 20

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const usual = withMessages(filled.transactions, filled.messages).find(({ inMessage }) => inMessage?.kind === 'internal')
const message = usual?.inMessage
if (usual === undefined || !message) throw new Error('no message was filled')

const other = `0:${'0B'.repeat(32)}`
const keyOfOther = keyOfAccount({ workchain: 0, hash: Buffer.alloc(32, 0x0b) })
let written = 0
const long: LiveTrace = {
  hash: usual.row.hash,
  hashNorm: usual.row.hash,
  traceId: usual.row.traceId,
  actions: [],
  isWhole: true,
  nodes: Array.from({ length: LENGTH }, (_, i) => {
    const to = i === 0 ? keyOfOther : message.destination
    const own = { ...message, hash: Buffer.alloc(32, `${i} `), opcode: i, createdLt: BigInt(i), destination: to }
    Object.defineProperty(own, 'ihrDisabled', { get: () => Boolean(++written) })
    return { found: { ...usual, before: null, after: null, inMessage: own, outMessages: [] }, finality: 'finalized' }
  }),
}

const everyOpcode = () => new Set(Array.from({ length: LENGTH }, (_, i) => i))
const destination = rawOfKey(message.destination ?? usual.row.account)
const types = new Set(['messages'])
const ofAll = (sent: string[], opcodes = everyOpcode()) =>
  textReader(sent, { types, addresses: new Set(), opcodes, namesNoAccount: true })
const ofOne = (sent: string[], opcodes = everyOpcode()) =>
  textReader(sent, { types, addresses: new Set([destination]), opcodes })

const routesTo = (readers: readonly Subscriber[]): RoutesToMany => {
  const routes = new RoutesToMany()
  for (const one of readers) routes.add(one)
  return routes
}

const emitted = (routes: RoutesToMany, rest: () => Promise<void>, type: NotificationType<LiveTrace> = messageNotices) =>
  emit(emitParts({ routes, pace: { isDue: true, rest } }), type, long, () => 'a cursor')

test('others get their turn while it is found out who receives which messages', async () => {
  let rests = 0
  const rest = async () => {
    rests++
    await nextTurn()
  }
  const nothing: NotificationType<LiveTrace> = {
    ...messageNotices,
    selector: (...of) => ({ ...messageNotices.selector(...of), key: () => null }),
  }
  await emitted(routesTo(Array.from({ length: READERS }, () => ofAll([]))), rest, nothing)
  expect(rests).toBeGreaterThanOrEqual(LENGTH)
})

test('readers who named the same share one list of what they receive', async () => {
  let found: Audience = new Map()
  const seen: NotificationType<LiveTrace> = {
    ...messageNotices,
    selector: (...of) => ({
      ...messageNotices.selector(...of),
      key: ({ addresses }, parts) => {
        found = new Map([...found, [textReader([], { types, addresses }), parts]])
        return null
      },
    }),
  }
  const both = Array.from({ length: READERS }, (_, i) => (i % 2 === 0 ? ofAll([]) : ofOne([])))
  await emitted(routesTo(both), () => Promise.resolve(), seen)
  expect(found.size).toBe(READERS)
  expect(new Set(found.values()).size).toBe(2)
})

test('a message that readers of different opcodes receive is written once', async () => {
  written = 0
  const sent: string[] = []
  const readers = Array.from({ length: READERS }, (_, i) => {
    const opcodes = everyOpcode()
    opcodes.delete(i)
    return ofAll(sent, opcodes)
  })
  await emitted(routesTo(readers), () => Promise.resolve())
  expect(new Set(sent).size).toBe(READERS)
  expect(written).toBe(LENGTH)
})

test('a reader who gives up its accounts while that is found out receives nothing of them', async () => {
  const sent: string[] = []
  const stays = ofOne(sent)
  const gives = Array.from({ length: READERS }, () => ofOne(sent))
  const routes = routesTo([stays, ...gives])
  await emitted(routes, async () => {
    await nextTurn()
    for (const one of gives.splice(0)) {
      routes.remove(one)
      one.narrow([destination], [])
      routes.add(one)
    }
  })
  expect(sent).toHaveLength(1)
})

test('a reader who gives up one of its accounts while that is found out receives what the others have', async () => {
  const sent: string[] = []
  const one = textReader(sent, { types, addresses: new Set([destination, other]), opcodes: everyOpcode() })
  const routes = routesTo([one, ...Array.from({ length: READERS }, () => ofOne([]))])
  const narrow = () => {
    routes.remove(one)
    one.narrow([destination], [])
    routes.add(one)
  }
  let rests = 0
  await emitted(routes, async () => {
    await nextTurn()
    if (++rests === 5) narrow()
  })
  expect(sent.flatMap((text) => JSON.parse(text).messages.map((found: Frame) => found.destination))).toEqual([other])
  expect(sent).toHaveLength(1)
})

test('attack: a reader who takes an account back and gives it up again while names are read for it is closed', async () => {
  let reads = 0
  const sent: string[] = []
  const both = new Set([destination, other])
  const one = textReader([], { types, addresses: both, opcodes: everyOpcode(), addressBook: true })
  const fail = vi.spyOn(one.sink, 'fail')
  const turning = {
    ...unwantedBooks,
    addressBook: async () => {
      routes.remove(one)
      one.narrow(++reads % 2 === 0 ? [] : [other], [])
      if (reads % 2 === 0) both.add(other)
      routes.add(one)
      return {}
    },
  }
  const routes = routesTo([one, ofOne(sent)])
  const parts = emitParts({ routes, books: turning, pace: { isDue: false, rest: nextTurn } })
  await emit(parts, messageNotices, long, () => 'a cursor')
  expect([reads, fail.mock.calls.length, sent.length]).toEqual([4, 1, 1])
})

test('the opcodes of a reader that ends are removed later: a socket may have had a thousand', () => {
  const one = ofAll([])
  const routes = routesTo([one])
  const forget = routes.drop(one)
  expect([routes.ofType('messages').size, routes.ofOpcode(7).size]).toEqual([0, 1])
  one.end()
  forget()
  expect(routes.hasOpcode(7)).toBe(false)
})
