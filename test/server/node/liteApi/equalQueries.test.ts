// Many clients that wait for one large answer, such as a state of some megabytes: each gets a copy of its own.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerLiteQuery, LiteError, type LiteServer } from '../../../../server/node/index.ts'
import { decodeAnswer, encodeRequest, wrapQuery } from '../../../../server/tl/index.ts'
import { type LiteScene, openScene } from './scene.ts'

/** Pieces of work in a turn of the event loop. */
const OF_TURN = 16

const CLIENTS = 40
const DATA = new Uint8Array(256 * 1024).fill(7)

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 1, seed: 73 })
})
afterAll(() => scene.close())

/** Queries of the same block that all wait for it, and then get it at once; counts the answers made in each turn. */
function waitingForOne({ share, signal }: { readonly share: string; readonly signal?: AbortSignal }) {
  let release: (data: Uint8Array) => void = () => undefined
  const shared = new Promise<Uint8Array>((resolve) => {
    release = resolve
  })
  const server: LiteServer = { ...scene.lite, block: () => shared }
  const { workchain, shard, seqno, rootHash, fileHash } = scene.chain.head().master.id
  const id = { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash }
  const query = wrapQuery(encodeRequest('getBlock', { id }), null)
  let made = 0
  let mostOfTurn = 0
  const answers = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const bytes = await answerLiteQuery(server, query, signal === undefined ? { share } : { share, signal })
      made++
      return bytes
    }),
  )
  let isOver = false
  const turn = (): void => {
    mostOfTurn = Math.max(mostOfTurn, made)
    made = 0
    if (!isOver) setImmediate(turn)
  }
  turn()
  return {
    release: () => release(DATA),
    over: async () => {
      const all = await answers
      isOver = true
      turn()
      return { all, mostOfTurn }
    },
  }
}

test('behavior: few of the copies are made in a turn of the event loop, and each client gets its own', async () => {
  const { release, over } = waitingForOne({ share: 'one' })
  setImmediate(release)
  const { all, mostOfTurn } = await over()
  for (const bytes of all) {
    const { answer } = decodeAnswer('getBlock', bytes ?? new Uint8Array())
    expect(Buffer.compare(answer?.data ?? new Uint8Array(), DATA)).toBe(0)
  }
  expect(mostOfTurn).toBeLessThanOrEqual(OF_TURN)
})

test('behavior: no copies are made for clients that have gone', async () => {
  const gone = new AbortController()
  const { release, over } = waitingForOne({ share: 'gone', signal: gone.signal })
  setImmediate(() => {
    release()
    gone.abort()
  })
  const { all } = await over()
  for (const bytes of all)
    expect(decodeAnswer('getBlock', bytes ?? new Uint8Array()).refusal?.message).toBe(
      new LiteError('cancelled', 'the query was cancelled').message,
    )
})
