// What the groups of verbs of a verified lite server share.

import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import type { BlockQuery, LiteOptions, LiteServer } from '../liteServer.ts'
import { ProofError, verifyHeader } from '../verify/index.ts'
import type { BlockFinder } from './blockFinder.ts'
import type { Trust } from './openTrust.ts'

export interface VerifiedTools {
  readonly trust: Trust
  readonly finder: BlockFinder
  /** Runs one verb: its calls and proofs go to one server, and to another one when a proof fails. */
  on<T>(
    about: BlockIdExt | undefined,
    options: LiteOptions | undefined,
    work: (server: LiteServer) => Promise<T>,
  ): Promise<T>
  /** The same for reads about the block of a query, which try as many servers as a look-up of it. */
  search<T>(
    query: BlockQuery,
    about: BlockIdExt | undefined,
    options: LiteOptions | undefined,
    work: (server: LiteServer) => Promise<T>,
  ): Promise<T>
}

/** The masterchain block whose configuration is in force in a block. */
export async function masterOf(server: LiteServer, id: BlockIdExt, options: LiteOptions): Promise<BlockIdExt> {
  if (id.workchain === MASTERCHAIN) return id
  const { masterRef } = verifyHeader(id, await server.header(id, 0, options)).info
  if (masterRef === null) throw new ProofError('block', 'a shard block without a block of the masterchain')
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, ...masterRef }
}

/** A bit of the modes with which lite servers repeat the request. */
export const bitIf = (bit: number, isSet: boolean | undefined): number => (isSet === true ? bit : 0)
