// A chain read from lite servers. Every answer is verified against a trusted masterchain block; trust is extended from
// block to block by validator signatures.

import { aboutBlock } from '../aboutBlock.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { Chain, ChainTraits, ListedName, ReadOptions } from '../chain.ts'
import { BlockHasher } from '../hashing/index.ts'
import { attemptOn, configParts, type LiteServer } from '../liteServer.ts'
import { signaturesOf, stepsBack } from '../proofSteps.ts'
import {
  readAhead,
  type VerifiedTransaction,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyPreviousBlocks,
  verifyShards,
} from '../verify/index.ts'
import { BlockFinder } from './blockFinder.ts'
import { exactList } from './exactList.ts'
import { GivenHeads } from './givenHeads.ts'
import { HeadFollower } from './headFollower.ts'
import { Trust } from './openTrust.ts'
import { RemoteAccounts } from './remoteAccounts.ts'
import { RemoteConfigs } from './remoteConfigs.ts'
import { RemoteLibraries } from './remoteLibraries.ts'
import { RemoteTransactions } from './remoteTransactions.ts'
import { searchingServer } from './searchedBlocks.ts'
import { ServerReads } from './serverReads.ts'
import { UndoneReads } from './undoneReads.ts'

export interface RemoteChainOptions {
  /** Trust in the chain; by default it starts from the zerostate the server reports first. */
  readonly trust?: Trust | GivenHeads
  readonly messageLifetimeMs?: number
  /** Whether the chain's owner can revert it: it is one's own then, and no public one. */
  readonly canRewind?: boolean
}

const MESSAGE_LIFETIME_MS = 30_000

const ofName = (one: ListedName): ListedName => one
const ofTransaction = ({ transaction }: VerifiedTransaction) => transaction

/** The chain behind a lite server, with every answer verified; reads of blocks that were undone reject with `ChainReverted`. */
export function createRemoteChain(source: LiteServer, options: RemoteChainOptions = {}): Chain {
  const { trust = new Trust(source), messageLifetimeMs = MESSAGE_LIFETIME_MS, canRewind = false } = options
  const traits: ChainTraits = { canRewind, firstSeqno: null, messageLifetimeMs, isPublic: !canRewind }
  const finder = new BlockFinder(source, trust)
  const follower = trust instanceof GivenHeads ? trust : new HeadFollower(source, trust)
  const searching = searchingServer(source, finder)
  const accounts = new RemoteAccounts(searching)
  const transactions = new RemoteTransactions({ server: source, trust, finder })
  const configs = new RemoteConfigs(searching, finder)
  const libraries = new RemoteLibraries(source, trust)
  const hasher = new BlockHasher()
  /** Runs one verb: its calls and proofs go to one server, and to another one when a proof fails. */
  const on = <T>(
    about: BlockIdExt | undefined,
    read: ReadOptions | undefined,
    work: (reads: ServerReads) => Promise<T>,
  ): Promise<T> => attemptOn(searching, (server) => work(new ServerReads(server)), aboutBlock(read, about))
  return undoneIn(new UndoneReads({ server: source, trust, canRewind }), {
    traits,
    proofs: {
      stepsBack: (from, to, read = {}) => on(from, read, ({ server }) => stepsBack(server, from, to, read)),
      signatures: (id, read = {}) =>
        on(id, read, async ({ server }) => signaturesOf(server, await finder.headerOf(id, { ...read, server }), read)),
      shardBlock: (id, read) => on(id, read, (one) => one.shardBlock(id, finder, read)),
    },
    head: (read) => (read?.isNewest === true ? trust.readNewest(read) : trust.read(read)),
    find: (query, read) => finder.find(query, read),
    idOf: (query, read) => finder.idOf(query, read),
    header: (id, read) => on(id, read, (one) => one.header(id, read)),
    block: (id, read) => on(id, read, async (one) => (await one.block(id, hasher, read)).whole),
    state: (id, read) => on(id, read, (one) => one.state(id, read)),
    account: (id, account, read) => accounts.read(id, account, read),
    transactions: (query, read) => transactions.read(query, read),
    listTransactions: (id, query, read) =>
      on(id, read, ({ server }) =>
        exactList({ ...query, wantProof: true }, ofName, async (proven) =>
          verifyBlockTransactions(id, proven, await readAhead(await server.listTransactions(id, proven, read), read)),
        ),
      ),
    blockTransactions: (id, query, read) =>
      on(id, read, ({ server }) =>
        exactList({ ...query, wantProof: true }, ofTransaction, async (proven) =>
          verifyBlockTransactionsExt(
            id,
            proven,
            await readAhead(await server.listTransactionsExt(id, proven, read), read),
          ),
        ),
      ),
    config: (id, wanted, read) => configs.read(id, wanted, read),
    previousBlocks: (id, read) =>
      on(id, read, async ({ server }) =>
        verifyPreviousBlocks(id, await server.config(id, [], configParts.previousBlocks, read)),
      ),
    libraries: (hashes, read) => libraries.read(hashes, read),
    shards: (id, read) => on(id, read, async ({ server }) => verifyShards(id, await server.shards(id, read))),
    queueSizes: (id, read) => on(id, read, (one) => one.queueSizes(id, read)),
    send: (message, read) => source.send(message, read),
    onHead: (listener) => follower.follow(listener),
  })
}

/** A chain whose reads say when a block that they are about was undone. */
function undoneIn(undone: UndoneReads, chain: Chain): Chain {
  const { proofs } = chain
  return {
    ...chain,
    proofs: {
      stepsBack: undone.guard(proofs.stepsBack),
      signatures: undone.guard(proofs.signatures),
      shardBlock: undone.guard(proofs.shardBlock),
    },
    find: undone.guard(chain.find),
    idOf: undone.guard(chain.idOf),
    header: undone.guard(chain.header),
    block: undone.guard(chain.block),
    state: undone.guard(chain.state),
    account: undone.guard(chain.account),
    transactions: undone.guard(chain.transactions),
    listTransactions: undone.guard(chain.listTransactions),
    blockTransactions: undone.guard(chain.blockTransactions),
    config: undone.guard(chain.config),
    previousBlocks: undone.guard(chain.previousBlocks),
    libraries: undone.guard(chain.libraries),
    shards: undone.guard(chain.shards),
    queueSizes: undone.guard(chain.queueSizes),
  }
}
