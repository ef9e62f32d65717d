// Places of a cursor that are kept: near ones close together, far ones ever further apart.

import { expect, test } from 'vitest'
import { type DeliveryTrail, lengthen, readTrail, writeTrail } from '../../../server/webhooks/deliveryTrail.ts'

const cursorAt = (mcSeqno: number) => ({ mcSeqno, block: `b${mcSeqno}`, position: 0 })
const seqnosOf = (trail: DeliveryTrail) => trail.map(({ mcSeqno }) => mcSeqno)

test('however many blocks are delivered, one place in each doubling of the distance stays', () => {
  let trail: DeliveryTrail = []
  for (let seqno = 1; seqno <= 1000; seqno++) {
    trail = lengthen(trail, cursorAt(seqno))
    const [newest = 0, ...others] = seqnosOf(trail)
    expect(newest).toBe(seqno)
    const doublings = others.map((one) => Math.floor(Math.log2(seqno - one)))
    expect(doublings).toEqual([...new Set(doublings)].sort((a, b) => a - b))
    // The one before is among them, and so is the first of all.
    if (seqno > 1) expect([others[0], others.at(-1)]).toEqual([seqno - 1, 1])
  }
})

test('what is delivered takes the place of what was tried, and of a doubling the furthest stays', () => {
  const trail = [7, 5, 4, 1].map(cursorAt)
  expect(seqnosOf(lengthen(trail, cursorAt(5)))).toEqual([5, 4, 1])
  expect(seqnosOf(lengthen(trail, cursorAt(7)))).toEqual([7, 4, 1])
})

test('it is read as it was written, with its cursor', () => {
  const trail = [9, 8, 4].map((seqno) => ({ mcSeqno: seqno, block: `b${seqno}` }))
  expect(readTrail(writeTrail(trail), cursorAt(8))).toEqual(trail)
  expect(seqnosOf(readTrail(writeTrail(trail), cursorAt(6)))).toEqual([9, 8, 6, 4])
  expect(readTrail('', null)).toEqual([])
})
