// A replica that stays at one block while its primary goes on is behind that one's newest block; one that moves, or whose primary
// stands as well, is not.

import { expect, test } from 'vitest'
import { StandingReplica } from '../../../server/store/postgres/standingReplica.ts'

const head = (seqno: number, hash = seqno) => ({ seqno, rootHash: new Uint8Array(32).fill(hash) })

function watched() {
  const at = { replica: head(1) as ReturnType<typeof head> | null, primary: head(1) }
  const told: number[] = []
  const standing = new StandingReplica({
    ofReplica: async () => at.replica,
    ofPrimary: async () => {
      if (at.primary.seqno < 0) throw new Error('away')
      return at.primary
    },
    onStanding: ({ seqno }) => told.push(seqno),
  })
  return {
    told,
    async look(replica: ReturnType<typeof head> | null, primary: ReturnType<typeof head>) {
      Object.assign(at, { replica, primary })
      await standing.look()
    },
  }
}

test('default: one that stands is told of the block of its primary', async () => {
  const { told, look } = watched()
  await look(head(1), head(2))
  await look(head(1), head(3))
  expect(told).toEqual([])
  await look(head(1), head(4))
  expect(told).toEqual([4])
})

test('behavior: one of before a revert stands as well, and an empty one', async () => {
  for (const replica of [head(5), head(4, 9), null]) {
    const { told, look } = watched()
    for (let looks = 0; looks < 3; looks++) await look(replica, head(4))
    expect(told).toEqual([4])
  }
})

test('behavior: one that moves, but has each block long after its primary, is told of the newest', async () => {
  const { told, look } = watched()
  for (let seqno = 10; seqno < 15; seqno++) await look(head(seqno), head(seqno + 60))
  expect(told).toEqual([])
  for (let seqno = 15; seqno < 17; seqno++) await look(head(seqno), head(seqno + 60))
  expect(told).toEqual([75, 76])
})

test('behavior: one that is late but moves does not, nor one of a primary that stands or is away', async () => {
  const { told, look } = watched()
  for (let seqno = 10; seqno < 20; seqno++) await look(head(seqno), head(seqno + 5))
  for (let looks = 0; looks < 10; looks++) await look(head(30), head(30))
  for (let looks = 0; looks < 10; looks++) await look(head(31), head(looks % 2 === 0 ? 32 : -1))
  // Hundreds of blocks between two looks, while an index catches up.
  for (let seqno = 1000; seqno < 5000; seqno += 400) await look(head(seqno - 300), head(seqno))
  expect(told).toEqual([])
})
