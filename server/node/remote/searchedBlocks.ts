// Reads of old blocks, which few servers keep. Where those that were called lack a block that is on the chain, or call the query
// wrong, more are called.

import { withFound } from '../aboutBlock.ts'
import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import type { AttemptOptions, LiteServer } from '../liteServer.ts'
import { ProofError } from '../verify/index.ts'
import type { BlockFinder } from './blockFinder.ts'

const wider = (options: AttemptOptions, mcSeqno: number): AttemptOptions =>
  withFound(options, { mcSeqno, isWide: true })

/** How old a block is, looked up anew; null for one that is not on the chain. */
async function ageOf(finder: BlockFinder, id: BlockIdExt, read: ReadOptions): Promise<number | null> {
  const { workchain, shard, seqno } = id
  const { timeoutMs, signal, share } = read
  try {
    const found = await finder.find({ workchain, shard, seqno }, { timeoutMs, signal, share })
    return isSameBlock(found.id, id) ? finder.ageOf(id) : null
  } catch (error) {
    if (error instanceof LiteError || error instanceof ProofError) return null
    throw error
  }
}

/** The same servers. A read about a block that is on the chain tries as many of them as a look-up of that block does. */
export function searchingServer(source: LiteServer, finder: BlockFinder): LiteServer {
  const { attempt } = source
  if (attempt === undefined) return source
  return {
    ...source,
    attempt: (work, options = {}) => {
      const { about, exists } = options
      if (about === undefined || about.seqno === 0 || exists === true) return attempt(work, options)
      const known = finder.ageOf(about)
      if (known !== null) return attempt(work, wider(options, known))
      return attempt(work, options).catch(async (error: unknown) => {
        const isRefused = error instanceof LiteError && (error.isMissing || !error.isTransient)
        const age = isRefused ? await ageOf(finder, about, options) : null
        if (age === null) throw error
        return await attempt(work, wider(options, age))
      })
    },
  }
}
