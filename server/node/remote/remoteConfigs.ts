// The configuration of a remote chain. It changes only with key blocks, which servers never prune: a whole configuration is
// read once per key block, and parts of it are available where the state of a block was pruned.

import { LRUCache } from 'lru-cache'
import { aboutBlock } from '../aboutBlock.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import { attemptOn, configParts, type LiteServer } from '../liteServer.ts'
import { readAhead, type VerifiedConfig, verifyConfig } from '../verify/index.ts'
import type { BlockFinder } from './blockFinder.ts'

/** A mainnet configuration takes 84 kB as bytes and ten times that as cells. */
const MOST_KEPT = 8

export class RemoteConfigs {
  readonly #server: LiteServer
  readonly #finder: BlockFinder
  readonly #kept = new LRUCache<string, VerifiedConfig>({ max: MOST_KEPT })

  constructor(server: LiteServer, finder: BlockFinder) {
    this.#server = server
    this.#finder = finder
  }

  /** Rejects with LiteError or ProofError. */
  async read(id: BlockIdExt, wanted: readonly number[] | 'all', options: ReadOptions = {}): Promise<VerifiedConfig> {
    if (wanted === 'all') return (await this.#ofKeyBlock(id, options)) ?? (await this.#ofState(id, wanted, options))
    try {
      return await this.#ofState(id, wanted, options)
    } catch (error) {
      if (!(error instanceof LiteError && error.isMissing)) throw error
      const whole = await this.#ofKeyBlock(id, options)
      if (whole === null) throw error
      const params = [...whole.params].filter(([number]) => wanted.includes(number))
      return { ...whole, params: new Map(params) }
    }
  }

  #ofState(id: BlockIdExt, wanted: readonly number[] | 'all', options: ReadOptions): Promise<VerifiedConfig> {
    const work = async (server: LiteServer): Promise<VerifiedConfig> =>
      verifyConfig(id, wanted, await readAhead({ ...(await server.config(id, wanted, 0, options)), mode: 0 }, options))
    return attemptOn(this.#server, work, aboutBlock(options, id))
  }

  /** Null before the first key block. */
  async #ofKeyBlock(id: BlockIdExt, options: ReadOptions): Promise<VerifiedConfig | null> {
    const key = await this.#finder.keyBlockAt(id, options)
    if (key === null) return null
    const name = Buffer.from(key.rootHash).toString('latin1')
    const known = this.#kept.get(name)
    if (known !== undefined) return known
    const mode = configParts.fromKeyBlock
    const work = async (server: LiteServer): Promise<VerifiedConfig> =>
      verifyConfig(key, 'all', await readAhead({ ...(await server.config(key, 'all', mode, options)), mode }, options))
    const found = await attemptOn(this.#server, work, aboutBlock(options, key))
    this.#kept.set(name, found)
    return found
  }
}
