// Earlier places of a cursor, ever further apart: after blocks were undone, the last one that stayed is among them.

import type { Cursor } from '../streaming/index.ts'

export type DeliveredBlock = Pick<Cursor, 'mcSeqno' | 'block'>
export type DeliveryTrail = readonly DeliveredBlock[]

/** The newest first. The cursor is among them: that of a new webhook has no trail yet. */
export function readTrail(text: string, cursor: Cursor | null): DeliveryTrail {
  const trail = text.split(' ').flatMap((part) => {
    const [seqno = '', block] = part.split(':')
    return block === undefined ? [] : [{ mcSeqno: Number(seqno), block }]
  })
  if (cursor === null || trail.some(({ mcSeqno }) => mcSeqno === cursor.mcSeqno)) return trail
  return [...trail, cursor].sort((a, b) => b.mcSeqno - a.mcSeqno)
}

export const writeTrail = (trail: DeliveryTrail): string =>
  trail.map(({ mcSeqno, block }) => `${mcSeqno}:${block}`).join(' ')

/** Adds a place; of those behind it, one in each doubling of the distance stays. */
export function lengthen(trail: DeliveryTrail, { mcSeqno, block }: Cursor): DeliveryTrail {
  const kept: Pick<Cursor, 'mcSeqno' | 'block'>[] = [{ mcSeqno, block }]
  let last = -1
  for (const one of [...trail].reverse()) {
    // From the furthest: of a doubling the furthest stays, so that places do not move on together.
    if (one.mcSeqno >= mcSeqno) continue
    const doubling = Math.floor(Math.log2(mcSeqno - one.mcSeqno))
    if (doubling === last) continue
    last = doubling
    kept.splice(1, 0, one)
  }
  return kept
}
