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
} from '../../../../server/node/index.ts'
import { verifyDispatchMessages, verifyDispatchQueues } from '../../../../server/node/verify/index.ts'
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
  return { id, mode: 1, ...found, proof: writeBoc(makeProof(state, (cell) => usage.has(cell))) }
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

test('behavior: accounts with queues, page by page', () => {
  const seen: number[] = []
  for (let after: Uint8Array | undefined; ; ) {
    const start = after
    const answer = answered(() => {
      const queues: DispatchQueuesAnswer['queues'][number][] = []
      let next = start === undefined ? queueOf().min() : queueOf().next(start)
      for (; next !== undefined && queues.length < 2; next = queueOf().next(next[0])) {
        const [account, { messages, count }] = next
        queues.push({ account, size: count, minLt: messages.min()?.[0] ?? 0n, maxLt: messages.max()?.[0] ?? 0n })
      }
      return { queues, complete: next === undefined }
    })
    const found = verifyDispatchQueues(id, { count: 2, ...(start === undefined ? {} : { after: start }) }, answer)
    seen.push(...found.map(({ account }) => account[0] ?? 0))
    if (answer.complete) break
    after = found.at(-1)?.account
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
