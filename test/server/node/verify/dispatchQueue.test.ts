// Dispatch queues with messages, as the public node shows them: it opens what it looks up, and nothing beside.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  beginCell,
  buildDict,
  type Cell,
  CellUsage,
  makeProof,
  openCell,
  readBoc,
  sameBytes,
  writeBoc,
} from '../../../../server/cell/index.ts'
import type {
  BlockIdExt,
  DispatchMessagesAnswer,
  DispatchMessagesQuery,
  DispatchQueuesAnswer,
  DispatchQueuesQuery,
} from '../../../../server/node/index.ts'
import { ProofError, verifyDispatchMessages, verifyDispatchQueues } from '../../../../server/node/verify/index.ts'
import {
  dispatchQueueKind,
  loadEnvelope,
  loadShardState,
  outQueueOf,
  storeEnvelope,
  storeOutQueueInfo,
  storeShardState,
  toCell,
  waitingKind,
} from '../../../../server/tlb/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

const ACCOUNTS = [2, 5, 9, 12, 200]
const MESSAGES = 7
const addressOf = (n: number): Uint8Array => new Uint8Array(32).fill(n)

const INITIATOR = { kind: 'std', workchain: 0, hash: addressOf(3), anycast: null } as const

let scene: LiteScene
let id: BlockIdExt
let state: Cell
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 5 })
  const zerostate = scene.chain.reader.zerostates.master.id
  const old = loadShardState(openCell(readBoc((await scene.lite.state(zerostate)).data)))
  const queues = ACCOUNTS.map((n) => {
    const messages = Array.from({ length: MESSAGES }, (_, i) => [ltOf(n, i), waiting(n, i)] as const)
    return [addressOf(n), { messages: buildDict(waitingKind, messages), count: MESSAGES }] as const
  })
  const extra = { dispatchQueue: buildDict(dispatchQueueKind, queues), queueSize: 0 }
  state = toCell({ ...old, outQueueInfo: toCell({ ...outQueueOf(old), extra }, storeOutQueueInfo) }, storeShardState)
  id = { ...zerostate, rootHash: state.hashBytes() }
})
afterAll(() => scene.close())

const ltOf = (n: number, i: number): bigint => BigInt(n * 100 + 2 * i)
const message = (n: number, i: number): Cell => beginCell().storeUint(n, 32).storeUint(i, 32).end()

function waiting(n: number, i: number) {
  const envelope = toCell(
    {
      version: 2,
      current: { kind: 'regular', destBits: 0 },
      next: { kind: 'regular', destBits: 0 },
      fwdFeeRemaining: 1n,
      message: message(n, i),
      emittedLt: null,
      metadata: i % 2 === 0 ? null : { depth: 1, initiator: INITIATOR, initiatorLt: 7n },
    } as const,
    storeEnvelope,
  )
  return { enqueuedLt: ltOf(n, i), envelope }
}

const queueOf = () =>
  outQueueOf(loadShardState(openCell(state))).extra?.dispatchQueue ?? buildDict(dispatchQueueKind, [])

/** What a look-up of the node says, with a proof of just the cells it opened. */
function answered<T>(
  lookUp: () => T,
): T & { readonly id: BlockIdExt; readonly mode: number; readonly proof: Uint8Array } {
  const usage = new CellUsage()
  const found = usage.run(lookUp)
  return { id, mode: 1, ...found, proof: writeBoc(makeProof(state, (cell) => usage.visited.has(cell))) }
}

const messagesOfNode = ({ account, afterLt, count, onlyThisAccount, wantBodies }: DispatchMessagesQuery) =>
  answered(() => {
    const queue = queueOf()
    const most = Math.min(count, wantBodies === true ? 16 : 64)
    const messages: DispatchMessagesAnswer['messages'][number][] = []
    const bodies: Cell[] = []
    let at = account
    let lt = afterLt < 0n ? 0n : afterLt
    let isFirst = true
    while (messages.length < most) {
      const next = queue.next(at, isFirst)
      if (next === undefined || (onlyThisAccount === true && !sameBytes(next[0], account))) {
        return { messages, complete: true, bodies: bagOf(bodies) }
      }
      at = next[0]
      for (;;) {
        const waits = next[1].messages.next(lt)
        if (waits === undefined || messages.length === most) break
        lt = waits[0]
        const { message: body, metadata } = loadEnvelope(openCell(waits[1].envelope))
        bodies.push(body)
        messages.push({
          account: at,
          lt,
          hash: body.hashBytes(),
          metadata: metadata && { ...metadata, initiator: INITIATOR },
        })
      }
      ;[isFirst, lt] = [false, 0n]
    }
    return { messages, complete: false, bodies: bagOf(bodies) }
  })

const bagOf = (bodies: readonly Cell[]): Uint8Array => (bodies.length === 0 ? new Uint8Array() : writeBoc(bodies))

const namesOf = (found: ReturnType<typeof verifyDispatchMessages>) =>
  found.map(({ account, lt }) => [account[0], Number(lt)])

const queuesOfNode = ({ count, after }: DispatchQueuesQuery): DispatchQueuesAnswer =>
  answered(() => {
    const queues: DispatchQueuesAnswer['queues'][number][] = []
    let next = after === undefined ? queueOf().min() : queueOf().next(after)
    for (; next !== undefined && queues.length < count; next = queueOf().next(next[0])) {
      const [account, { messages, count: size }] = next
      queues.push({ account, size, minLt: messages.min()?.[0] ?? 0n, maxLt: messages.max()?.[0] ?? 0n })
    }
    return { queues, complete: next === undefined }
  })

test('behavior: accounts with queues, page by page', () => {
  const seen: number[] = []
  for (let query: DispatchQueuesQuery = { count: 2 }; ; ) {
    const answer = queuesOfNode(query)
    const found = verifyDispatchQueues(id, query, answer)
    seen.push(...found.map(({ account }) => account[0] ?? 0))
    const after = found.at(-1)?.account
    if (answer.complete || after === undefined) break
    query = { ...query, after }
  }
  expect(seen).toEqual(ACCOUNTS)
})

test.each([3, 7, 16, 64])('behavior: messages of all accounts, by %i', (count) => {
  const seen: unknown[] = []
  for (let query: DispatchMessagesQuery = { account: addressOf(0), afterLt: 0n, count, wantBodies: true }; ; ) {
    const answer = messagesOfNode(query)
    const found = verifyDispatchMessages(id, query, answer)
    seen.push(...namesOf(found))
    const last = found.at(-1)
    if (answer.complete || last === undefined) break
    query = { ...query, account: last.account, afterLt: last.lt }
  }
  expect(seen).toEqual(ACCOUNTS.flatMap((n) => Array.from({ length: MESSAGES }, (_, i) => [n, Number(ltOf(n, i))])))
})

test.each([
  ['of one account', { account: addressOf(9), afterLt: 0n, onlyThisAccount: true }, MESSAGES],
  ['of one account without any', { account: addressOf(10), afterLt: 0n, onlyThisAccount: true }, 0],
  [
    'behind a time, of an account without any: the time counts for the next one',
    { account: addressOf(10), afterLt: ltOf(12, 4) },
    2 + MESSAGES,
  ],
  ['behind a time below 0, which is 0', { account: addressOf(12), afterLt: -1n }, 2 * MESSAGES],
  ['behind the last of an account', { account: addressOf(5), afterLt: ltOf(5, 6) }, 3 * MESSAGES],
  ['behind the last of all', { account: addressOf(200), afterLt: 1n << 62n }, 0],
])('behavior: messages %s', (_, query, count) => {
  const asked = { ...query, count: 64 }
  expect(verifyDispatchMessages(id, asked, messagesOfNode(asked))).toHaveLength(count)
})

/** The list with one of its entries changed. */
const changed = <T>(list: readonly T[], at: number, change: Partial<T>): readonly T[] =>
  list.map((one, i) => (i === at ? { ...one, ...change } : one))

/** The list with its first two entries in the other order. */
const turned = <T>([first, second, ...others]: readonly T[]): readonly T[] =>
  [second, first, ...others].filter((one) => one !== undefined)

test.each<[lie: string, tell: (queues: DispatchQueuesAnswer['queues']) => DispatchQueuesAnswer['queues']]>([
  ['another account', (queues) => changed(queues, 1, { account: addressOf(6) })],
  ['another number of messages', (queues) => changed(queues, 1, { size: MESSAGES - 1 })],
  ['another first time', (queues) => changed(queues, 1, { minLt: ltOf(5, 1) })],
  ['another last time', (queues) => changed(queues, 1, { maxLt: ltOf(5, 5) })],
  ['the first account left out', (queues) => queues.slice(1)],
  ['one between left out', (queues) => queues.filter((_, i) => i !== 1)],
  ['the last left out', (queues) => queues.slice(0, -1)],
  ['all left out', () => []],
  ['one of them twice', (queues) => [...queues.slice(0, 2), ...queues.slice(1)]],
  ['another order', turned],
])('error: accounts with queues, %s', (_, tell) => {
  const query = { count: 64 }
  const answer = queuesOfNode(query)
  expect(verifyDispatchQueues(id, query, answer)).toHaveLength(ACCOUNTS.length)
  expect(() => verifyDispatchQueues(id, query, { ...answer, queues: tell(answer.queues) })).toThrow(ProofError)
})

test('error: more accounts than were wanted, and a page that ends before it begins', () => {
  const answer = queuesOfNode({ count: 3 })
  expect(() => verifyDispatchQueues(id, { count: 2 }, answer)).toThrow(ProofError)
  expect(() => verifyDispatchQueues(id, { count: 3 }, { ...answer, queues: [] })).toThrow(ProofError)
})

type Told = Pick<DispatchMessagesAnswer, 'messages' | 'bodies'>
const METADATA = { depth: 1, initiator: INITIATOR, initiatorLt: 7n }
const bodiesOf = (...which: readonly number[]): Uint8Array => bagOf(which.map((i) => message(9, i)))

test.each<[lie: string, tell: (messages: DispatchMessagesAnswer['messages']) => Partial<Told>]>([
  ['of another account', (messages) => ({ messages: changed(messages, 1, { account: addressOf(5) }) })],
  ['at another time', (messages) => ({ messages: changed(messages, 1, { lt: ltOf(9, 1) + 1n }) })],
  ['another message', (messages) => ({ messages: changed(messages, 1, { hash: message(9, 2).hashBytes() }) })],
  ['deeper', (messages) => ({ messages: changed(messages, 1, { metadata: { ...METADATA, depth: 2 } }) })],
  ['begun later', (messages) => ({ messages: changed(messages, 1, { metadata: { ...METADATA, initiatorLt: 8n } }) })],
  [
    'begun by another account',
    (messages) => ({
      messages: changed(messages, 1, { metadata: { ...METADATA, initiator: { ...INITIATOR, hash: addressOf(4) } } }),
    }),
  ],
  [
    'begun in another workchain',
    (messages) => ({
      messages: changed(messages, 1, { metadata: { ...METADATA, initiator: { ...INITIATOR, workchain: -1 } } }),
    }),
  ],
  [
    'begun by an account where none is known',
    (messages) => ({ messages: changed(messages, 0, { metadata: METADATA }) }),
  ],
  ['the first left out', (messages) => ({ messages: messages.slice(1), bodies: bodiesOf(1, 2, 3, 4, 5, 6) })],
  ['the last left out', (messages) => ({ messages: messages.slice(0, -1), bodies: bodiesOf(0, 1, 2, 3, 4, 5) })],
  ['in another order', (messages) => ({ messages: turned(messages), bodies: bodiesOf(1, 0, 2, 3, 4, 5, 6) })],
  ['with the body of another', () => ({ bodies: bodiesOf(0, 1, 2, 2, 4, 5, 6) })],
  ['without one body', () => ({ bodies: bodiesOf(0, 1, 2, 3, 4, 5) })],
  ['without bodies', () => ({ bodies: bagOf([]) })],
])('error: queued messages, %s', (_, tell) => {
  const query = { account: addressOf(9), afterLt: 0n, count: 16, onlyThisAccount: true, wantBodies: true }
  const answer = messagesOfNode(query)
  expect(verifyDispatchMessages(id, query, answer)).toHaveLength(MESSAGES)
  expect(() => verifyDispatchMessages(id, query, { ...answer, ...tell(answer.messages) })).toThrow(ProofError)
})
