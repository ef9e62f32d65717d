// Blocks that are undone again, deeper, while a webhook looks for the last block that stayed.

import { expect, test } from 'vitest'
import type { BlockRowsFeed } from '../../../server/store/index.ts'
import { freshDatabase } from '../../setup/database.ts'
import { eventually } from '../../setup/streams.ts'
import { openRunner } from './runnerScene.ts'

const HEAD = 12
const DELIVERED = 10
const FIRST = 7
const DEEPER = 4
const WITH_EVENT = [6, 8]

test('the report names the deepest, and what takes the place of all that was undone is posted', async () => {
  await using database = await freshDatabase('pglite')
  const undone: number[] = []
  /** Of the branch that a block is on. */
  const branchOf = (seqno: number) => undone.filter((last) => seqno > last).length
  const hashOf = (seqno: number) => new Uint8Array(32).fill(seqno + 100 * branchOf(seqno))
  // The cast: parts of blocks that are not asked for here.
  const blockOf = (mcSeqno: number) => ({ mcSeqno, rootHash: hashOf(mcSeqno), transactions: [] }) as never
  const feed: Partial<BlockRowsFeed> = {
    head: () => ({ seqno: HEAD, rootHash: hashOf(HEAD) }),
    async block(seqno) {
      if (seqno === FIRST && undone.length === 1) undone.push(DEEPER)
      return blockOf(seqno)
    },
    get reverts() {
      return undone.length
    },
    lowestSince: (reverts) => (reverts < undone.length ? Math.min(...undone.slice(reverts)) : null),
    async *from(seqno, { signal } = {}) {
      for (let next = seqno; next <= HEAD; next++) yield { kind: 'block', rows: blockOf(next) }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const posts: string[] = []
  const { runner, end } = await openRunner(database, {
    feed,
    concerning: async () => [],
    behind: { seqno: DELIVERED, rootHash: hashOf(DELIVERED) },
    withEvent: WITH_EVENT,
    onPost: ({ name, body }) => posts.push(`${name} ${body}`),
  })
  undone.push(FIRST)
  const ended = runner.run()
  await eventually(() => posts.includes('block 8') || undefined)
  end.abort()
  await ended
  const report = JSON.stringify({ type: 'chain_reverted', mc_seqno: DEEPER })
  expect(posts).toEqual([`chain_reverted ${report}`, 'block 6', 'block 8'])
})
