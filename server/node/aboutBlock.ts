// A read with the block it is about, by which a pool chooses the servers to query.

import type { BlockIdExt } from './blockId.ts'
import type { AttemptOptions } from './liteServer.ts'

/** With a member for each option: one that is forgotten does not compile. */
type Complete<T> = { readonly [K in keyof Required<T>]: T[K] }

/**
 * One literal: an object that another one is copied into has a hidden class of its own in V8, and every function
 * that looks at it pays for that, with each read anew.
 */
export const aboutBlock = (
  read: Omit<AttemptOptions, 'about' | 'newest'> | undefined,
  about: BlockIdExt | undefined,
  newest = false,
): Complete<AttemptOptions> => ({
  waitSeqno: read?.waitSeqno,
  timeoutMs: read?.timeoutMs,
  signal: read?.signal,
  share: read?.share,
  arrived: read?.arrived,
  about,
  lt: read?.lt,
  newest,
  exists: read?.exists,
  isWide: read?.isWide,
  mcSeqno: read?.mcSeqno,
})

type Found = Pick<AttemptOptions, 'lt' | 'exists' | 'isWide' | 'mcSeqno'>

/** The same read with what was found out of the block, as one literal too. */
export const withFound = (
  read: AttemptOptions,
  { lt = read.lt, exists = read.exists, isWide = read.isWide, mcSeqno = read.mcSeqno }: Found,
): Complete<AttemptOptions> => ({
  waitSeqno: read.waitSeqno,
  timeoutMs: read.timeoutMs,
  signal: read.signal,
  share: read.share,
  arrived: read.arrived,
  about: read.about,
  lt,
  newest: read.newest,
  exists,
  isWide,
  mcSeqno,
})
