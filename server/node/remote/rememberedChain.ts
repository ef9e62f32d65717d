// Caches answers about blocks named by their hashes, which can never change.

import { footprintOf } from '../../cell/index.ts'
import type { Chain } from '../chain.ts'
import { headerBytes } from './headerBytes.ts'
import { cachedAccountKey, cachedBlockKey, VerifiedCache } from './verifiedCache.ts'

const MB = 1 << 20

export interface AnswerBounds {
  /** Limits per kind of answer. */
  readonly maxBytes: number
}

/** Whole configurations of mainnet take about a megabyte each as cells, headers and lists of shards a few kilobytes. */
const DEFAULT_BOUNDS: AnswerBounds = { maxBytes: 4 * MB }
/** Of a shard a masterchain block registers. */
const SHARD_BYTES = 1024
/** Of the 32 blocks that get-methods can see. */
const PREVIOUS_BYTES = 8192

/** The same chain with a cache of some megabytes, and without concurrent equal reads. */
export function rememberAnswers(chain: Chain, { maxBytes }: AnswerBounds = DEFAULT_BOUNDS): Chain {
  type Answer<Verb extends 'header' | 'shards' | 'config' | 'previousBlocks' | 'account'> = Awaited<
    ReturnType<Chain[Verb]>
  >
  const headers = new VerifiedCache<Answer<'header'>>(maxBytes, headerBytes)
  const shards = new VerifiedCache<Answer<'shards'>>(maxBytes, ({ length }) => SHARD_BYTES * (length + 1))
  const configs = new VerifiedCache<Answer<'config'>>(maxBytes, ({ config, params }) =>
    footprintOf([...(config.params.root === null ? [] : [config.params.root]), ...params.values()]),
  )
  const previous = new VerifiedCache<Answer<'previousBlocks'>>(maxBytes, () => PREVIOUS_BYTES)
  const accounts = new VerifiedCache<Answer<'account'>>(maxBytes, ({ shardAccount }) =>
    footprintOf(shardAccount === null ? [] : [shardAccount.account], maxBytes),
  )
  return {
    ...chain,
    header: (id, read) => headers.get(cachedBlockKey(id), read, () => chain.header(id, read)),
    shards: (id, read) => shards.get(cachedBlockKey(id), read, () => chain.shards(id, read)),
    config: (id, wanted, read) =>
      configs.get(`${cachedBlockKey(id)} ${String(wanted)}`, read, () => chain.config(id, wanted, read)),
    previousBlocks: (id, read) => previous.get(cachedBlockKey(id), read, () => chain.previousBlocks(id, read)),
    account: (id, account, read) =>
      accounts.get(cachedAccountKey(id, account), read, () => chain.account(id, account, read)),
  }
}
