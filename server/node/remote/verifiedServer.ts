// A lite server that verifies every answer before it passes it on, for clients that do not verify. Answers keep the form
// and the proofs of the wire; parts that no proof covers are proven by other calls or left out.

import { inPieces } from '../../fairness/index.ts'
import { aboutBlock } from '../aboutBlock.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN } from '../blockId.ts'
import { BlockHasher } from '../hashing/index.ts'
import type { LookupAnswer } from '../liteAnswers.ts'
import { attemptOn, type BlockQuery, headerParts, type LiteOptions, type LiteServer } from '../liteServer.ts'
import { lookupMode } from '../lookupParts.ts'
import { stateHashOf, verifyHeader, verifyingBlockProof, verifyLookup } from '../verify/index.ts'
import { BlockFinder } from './blockFinder.ts'
import { HeadFollower } from './headFollower.ts'
import { HeadWaits } from './headWaits.ts'
import type { Trust } from './openTrust.ts'
import { searchingServer } from './searchedBlocks.ts'
import { ServerReads } from './serverReads.ts'
import { type MethodRunner, verifiedAccounts } from './verifiedAccounts.ts'
import { cachedBlockKey, VerifiedCache } from './verifiedCache.ts'
import { verifiedParts } from './verifiedParts.ts'
import { verifiedQueues } from './verifiedQueues.ts'
import type { VerifiedTools } from './verifiedTools.ts'
import { verifiedTransactions } from './verifiedTransactions.ts'

export interface VerifiedServerOptions {
  /** Runs get-methods locally, since results of servers cannot be proven; without it they are refused. */
  readonly runMethod?: MethodRunner
}

type Blocks = Pick<
  LiteServer,
  | 'masterchainInfo'
  | 'waitMasterchainSeqno'
  | 'lookup'
  | 'lookupWithProof'
  | 'header'
  | 'block'
  | 'blockProof'
  | 'shardBlockProof'
>

/** A header with the parts of its mode; other answers are checked against its state hash. */
async function readHeader(server: LiteServer, id: BlockIdExt, mode: number, options: LiteOptions) {
  const answer = await server.header(id, mode, options)
  const found = verifyHeader(id, answer)
  if ((mode & headerParts.stateUpdate) !== 0) stateHashOf(found)
  return { ...answer, mode }
}

const EMPTY = new Uint8Array(0)

/** Without parts that this look-up does not need and that are not checked. */
function shownLookup(query: BlockQuery, known: BlockIdExt, answer: LookupAnswer): LookupAnswer {
  return {
    ...answer,
    mode: lookupMode(query),
    ...(isSameBlock(answer.masterchainId, known) ? { clientMasterStateProof: EMPTY, masterBlockProof: EMPTY } : {}),
    ...(answer.id.workchain === MASTERCHAIN ? { shardLinks: [] } : {}),
    ...('seqno' in query ? { previousHeader: EMPTY } : {}),
  }
}

/** Of blocks that were passed on. */
const MOST_BLOCK_BYTES = 16 << 20

function verifiedBlocks({ trust, finder, on, search }: VerifiedTools, waits: HeadWaits): Blocks {
  const hasher = new BlockHasher()
  const blocks = new VerifiedCache<Uint8Array>(MOST_BLOCK_BYTES, ({ length }) => length)
  return {
    masterchainInfo: async (options = {}) => {
      const { server, ...head } = await trust.readWithInfo(options)
      const { workchain, rootHash, fileHash } = head.zerostate
      const { id: last, utime: lastUtime, stateHash: stateRootHash } = head
      return { last, lastUtime, stateRootHash, init: { workchain, rootHash, fileHash }, ...server }
    },
    waitMasterchainSeqno: (seqno, options = {}) => waits.until(seqno, options),
    async lookup(query, mode = 0, options = {}) {
      const id = await finder.idOf(query, options)
      return await on(id, options, (server) => readHeader(server, id, mode, options))
    },
    lookupWithProof: (query, known, options) =>
      search(query, known, options, async (server) => {
        const answer = await server.lookupWithProof(query, known, options)
        verifyLookup(query, known, answer)
        return shownLookup(query, known, answer)
      }),
    header: (id, mode = 0, options = {}) => on(id, options, (server) => readHeader(server, id, mode, options)),
    block: (id, options) =>
      blocks.get(cachedBlockKey(id), options, () =>
        on(id, options, async (server) => (await new ServerReads(server).block(id, hasher, options)).boc),
      ),
    async blockProof(known, target, mode, options = {}) {
      // Without a target the server would choose the newest block, unproven.
      const end = target ?? (await trust.read(options)).id
      return await on(end, options, async (server) => {
        const answer = await server.blockProof(known, end, mode, options)
        await inPieces(verifyingBlockProof(known, end, answer))
        return answer
      })
    },
    shardBlockProof: (id, options) =>
      on(id, options, (server) => new ServerReads(server).shardBlock(id, finder, options)),
  }
}

/** A `LiteServer` whose answers are verified against `trust`. */
export function createVerifiedLiteServer(
  source: LiteServer,
  trust: Trust,
  { runMethod }: VerifiedServerOptions = {},
): LiteServer {
  const finder = new BlockFinder(source, trust)
  const follower = new HeadFollower(source, trust)
  const searching = searchingServer(source, finder)
  const tools: VerifiedTools = {
    trust,
    finder,
    on: (about, options, work) => attemptOn(searching, work, aboutBlock(options, about)),
    search: (query, about, options, work) =>
      finder.search(query, options ?? {}, (read) => attemptOn(source, work, aboutBlock(read, about))),
  }
  return {
    kind: 'remote',
    ...verifiedBlocks(tools, new HeadWaits(trust, follower)),
    ...verifiedAccounts(tools, runMethod ?? null),
    ...verifiedTransactions(tools),
    ...verifiedParts(tools),
    ...verifiedQueues(tools),
    send: (message, options) => source.send(message, options),
    onHead: (listener) =>
      follower.follow((report) => {
        if (report.kind === 'head') listener(report.id)
      }),
  }
}
