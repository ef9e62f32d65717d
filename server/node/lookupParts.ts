import type { BlockQuery } from './liteServer.ts'

/** Bits of the mode of a look-up: what identifies the block. */
export const lookupParts = { seqno: 1, lt: 2, utime: 4 } as const

export function lookupMode(query: BlockQuery): number {
  if ('seqno' in query) return lookupParts.seqno
  return 'lt' in query ? lookupParts.lt : lookupParts.utime
}
