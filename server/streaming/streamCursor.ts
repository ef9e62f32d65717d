// The name of a notification that can be resumed from: opaque text to clients. The hash distinguishes a block from another one of its
// seqno, after a revert.

export interface Cursor {
  readonly mcSeqno: number
  /** Order of the notification within its block. */
  readonly position: number
  /** The first bytes of the hash of the masterchain block, in hex. */
  readonly block: string
}

const SHAPE = /^(\d{1,10}):(\d{1,16}(?:\.\d{1,17})?):([0-9a-f]{8})$/

export const blockMark = (rootHash: Uint8Array): string => Buffer.from(rootHash).toString('hex', 0, 4)

export const writeStreamCursor = ({ mcSeqno, position, block }: Cursor): string =>
  Buffer.from(`${mcSeqno}:${position}:${block}`).toString('base64url')

/** Null for text that no cursor is. */
export function readStreamCursor(text: string): Cursor | null {
  const [, seqno, position, block = ''] = SHAPE.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  if (seqno === undefined || position === undefined) return null
  const cursor = { mcSeqno: Number(seqno), position: Number(position), block }
  return writeStreamCursor(cursor) === text ? cursor : null
}

/** Subjects of one kind in a block at most, and types of one subject. */
const MOST_SUBJECTS = 2 ** 30
const MOST_TYPES = 8

/** `kind` orders the subjects of a block: traces, accounts, blocks. */
export const positionOf = (kind: number, index: number, place: number): number =>
  (kind * MOST_SUBJECTS + index) * MOST_TYPES + place

/** Parts in which one type reports a subject, at most. A power of two, so that no position is rounded. */
const MOST_PARTS = 2 ** 17

/** `position` is that of the first part. */
export const positionOfPart = (position: number, part: number): number =>
  position + Math.min(part, MOST_PARTS - 1) / MOST_PARTS

/** The first part behind a position `after`, of those that begin at `position`. */
export const partBehind = (position: number, after: number): number =>
  after < position ? 0 : Math.floor((after - position) * MOST_PARTS) + 1

/** Behind every notification of a block. */
export const END_OF_BLOCK = positionOf(MOST_TYPES, 0, 0)

/** The cursor behind all that a block means. */
export const endOfBlock = ({
  mcSeqno,
  rootHash,
}: {
  readonly mcSeqno: number
  readonly rootHash: Uint8Array
}): Cursor => ({
  mcSeqno,
  position: END_OF_BLOCK,
  block: blockMark(rootHash),
})
