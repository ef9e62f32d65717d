// Blocks that are undone where the feed cannot notice it: it is not followed while a webhook catches up.

import { expect, test } from 'vitest'
import type { BlockRowsFeed } from '../../../server/store/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openRunner } from './runnerScene.ts'

const HEAD = 100
const WITH_EVENT = [40, 50]

test('what takes the place of undone blocks is posted after the report that they were undone', async () => {
  await using database = await freshDatabase('pglite')
  let isForked = false
  const hashOf = (seqno: number) => new Uint8Array(32).fill(isForked && seqno > 1 ? seqno + HEAD : seqno)
  // The cast: parts of blocks that are not asked for here.
  const blockOf = (mcSeqno: number) => ({ mcSeqno, rootHash: hashOf(mcSeqno), transactions: [] }) as never
  const feed: Partial<BlockRowsFeed> = {
    head: () => ({ seqno: HEAD, rootHash: hashOf(HEAD) }),
    block: async (seqno) => blockOf(seqno),
    reverts: 0,
    lowestSince: () => null,
    async *from(seqno, { signal } = {}) {
      for (let next = seqno; next <= HEAD; next++) yield { kind: 'block', rows: blockOf(next) }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const posts: string[] = []
  const { runner, end } = await openRunner(database, {
    feed,
    concerning: async (_, { first }) => WITH_EVENT.filter((seqno) => seqno > first),
    behind: { seqno: 1, rootHash: hashOf(1) },
    withEvent: WITH_EVENT,
    onPost({ name, body }) {
      posts.push(name === 'block' ? body : name)
      isForked = true
    },
  })
  const ended = runner.run()
  await eventually(() => posts.includes('50') || undefined)
  end.abort()
  await ended
  expect(posts).toEqual(['40', 'chain_reverted', '40', '50'])
})

const DELIVERED = 5
/** The last block that both chains have. */
const STAYED = 3

/** A chain of which blocks above one are undone when a test says so. */
function openFork() {
  const state = { isForked: false }
  const hashOf = (seqno: number) => new Uint8Array(32).fill(state.isForked && seqno > STAYED ? seqno + HEAD : seqno)
  // The cast: parts of blocks that are not asked for here.
  const blockOf = (mcSeqno: number) => ({ mcSeqno, rootHash: hashOf(mcSeqno), transactions: [] }) as never
  const feed = {
    block: async (seqno: number) => blockOf(seqno),
    get reverts() {
      return state.isForked ? 1 : 0
    },
    lowestSince: (reverts: number) => (state.isForked && reverts === 0 ? STAYED : null),
  }
  return { state, hashOf, blockOf, feed }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

const forever = (signal?: AbortSignal) => new Promise((resolve) => signal?.addEventListener('abort', resolve))

test('what was undone just before the feed was followed is reported as well', async () => {
  await using database = await freshDatabase('pglite')
  const { state, hashOf, blockOf, feed } = openFork()
  const posts: string[] = []
  const newest = DELIVERED + 5
  const { runner, end } = await openRunner(database, {
    feed: {
      ...feed,
      head: () => ({ seqno: newest, rootHash: hashOf(newest) }),
      async *from(seqno, { signal } = {}) {
        state.isForked = true
        for (let next = seqno; next <= newest; next++) yield { kind: 'block', rows: blockOf(next) }
        await forever(signal)
      },
    },
    concerning: async () => [],
    behind: { seqno: DELIVERED, rootHash: hashOf(DELIVERED) },
    withEvent: [DELIVERED + 2],
    onPost: ({ name, body }) => posts.push(name === 'block' ? body : name),
  })
  const ended = runner.run()
  await eventually(() => posts.includes(`${DELIVERED + 2}`) || undefined)
  end.abort()
  await ended
  expect(posts).toEqual(['chain_reverted', `${DELIVERED + 2}`])
})

test('what is undone while a webhook begins to wait with others is reported, and what takes its place is posted', async () => {
  await using database = await freshDatabase('pglite')
  const { state, hashOf, blockOf, feed } = openFork()
  const posts: string[] = []
  let newest = DELIVERED
  let looks = 0
  let fork = (): void => undefined
  const isForked = new Promise<void>((resolve) => {
    fork = resolve
  })
  const { runner, end } = await openRunner(database, {
    feed: {
      ...feed,
      head: () => ({ seqno: newest, rootHash: hashOf(newest) }),
      async block(seqno) {
        const before = blockOf(seqno)
        // The first look is before it waits.
        if (seqno !== DELIVERED || ++looks !== 2) return before
        state.isForked = true
        newest++
        fork()
        await turns(5)
        return before
      },
      async *from(seqno, { signal } = {}) {
        let first = seqno
        if (seqno > DELIVERED && !state.isForked) {
          await isForked
          yield { kind: 'reverted', mcSeqno: STAYED }
          // Before there is another block, it waits.
          await turns(50)
          first = STAYED + 1
        }
        for (let next = first; next <= newest; next++) yield { kind: 'block', rows: blockOf(next) }
        await forever(signal)
      },
    },
    concerning: async () => [],
    behind: { seqno: DELIVERED, rootHash: hashOf(DELIVERED) },
    withEvent: [STAYED + 1],
    onPost: ({ name, body }) => posts.push(name === 'block' ? body : name),
  })
  const ended = runner.run()
  await eventually(() => posts.length === 2 || undefined)
  end.abort()
  await ended
  expect(posts).toEqual(['chain_reverted', `${STAYED + 1}`])
})
