// A chain whose answers about a block named by its hashes are fetched once: they can never change.

import type { BlockIdExt } from '../blockId.ts'
import type { Chain } from '../chain.ts'

/** The answers used last, by key. */
class Recent<T> {
  readonly #most: number
  readonly #answers = new Map<string, { readonly value: T }>()

  constructor(most: number) {
    this.#most = most
  }

  async get(key: string, fetch: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key)
    if (known !== undefined) {
      this.#answers.delete(key)
      this.#answers.set(key, known)
      return known.value
    }
    const value = await fetch()
    this.#answers.set(key, { value })
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#most) break
      this.#answers.delete(oldest)
    }
    return value
  }
}

const keyOf = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): string =>
  `${workchain}:${shard}:${seqno}:${Buffer.from(rootHash).toString('base64')}:${Buffer.from(fileHash).toString('base64')}`

/** Headers and lists of shards are a few kilobytes each, a whole configuration is 84 on mainnet. */
const MOST_SMALL = 512
const MOST_CONFIGS = 32

/** The same chain, which remembers some megabytes of what cannot change. */
export function rememberAnswers(chain: Chain): Chain {
  const headers = new Recent<Awaited<ReturnType<Chain['header']>>>(MOST_SMALL)
  const shards = new Recent<Awaited<ReturnType<Chain['shards']>>>(MOST_SMALL)
  const configs = new Recent<Awaited<ReturnType<Chain['config']>>>(MOST_CONFIGS)
  const previous = new Recent<Awaited<ReturnType<Chain['previousBlocks']>>>(MOST_CONFIGS)
  return {
    ...chain,
    header: (id, read) => headers.get(keyOf(id), () => chain.header(id, read)),
    shards: (id, read) => shards.get(keyOf(id), () => chain.shards(id, read)),
    config: (id, wanted, read) => configs.get(`${keyOf(id)} ${String(wanted)}`, () => chain.config(id, wanted, read)),
    previousBlocks: (id, read) => previous.get(keyOf(id), () => chain.previousBlocks(id, read)),
  }
}
