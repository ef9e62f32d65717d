// Proofs from a masterchain block down to a shard block, and look-ups with such a proof.

import type { Cell, PlannedProof } from '../../cell/index.ts'
import {
  type BlockIdExt,
  type BlockQuery,
  isSameBlock,
  LiteError,
  type LookupAnswer,
  lookupMode,
  lookupParts,
  MASTERCHAIN,
  type ShardBlockLink,
  type ShardBlockProofAnswer,
} from '../../node/index.ts'
import { topShardOf } from '../../tlb/index.ts'
import { find } from './blocks.ts'
import type { ChainSource, Located } from './chainSource.ts'
import { NO_PROOF, openMasterExtra, proveBlock, proveDetails, separateBocs, toBoc } from './proofs.ts'

const MOST_LINKS = 8

/** The masterchain block that registers a shard block; the zerostate is registered by the first. */
function registrarOf(source: ChainSource, { id }: Located): Located {
  if (id.seqno === 0) return source.at(MASTERCHAIN, 1)
  const facts = source.reader.registeredBy(id.seqno)
  if (facts === undefined) throw new LiteError('notReady', 'no masterchain block registers the block yet')
  return { id: facts.id, facts }
}

function proveTop(root: Cell, wanted: BlockIdExt): { readonly proof: PlannedProof; readonly id: BlockIdExt } {
  const found: { id: BlockIdExt | null } = { id: null }
  const proof = proveBlock(root, (block) => {
    found.id = topShardOf(openMasterExtra(block).shardHashes, wanted)?.id ?? null
  })
  if (found.id === null) throw new LiteError('failed', 'the shard is not registered')
  return { proof, id: found.id }
}

async function linksTo(source: ChainSource, master: Located, target: Located): Promise<ShardBlockLink[]> {
  const top = proveTop(await source.blockRoot(master), target.id)
  const links: ShardBlockLink[] = [{ id: top.id, proof: toBoc(top.proof) }]
  let at = source.locate(top.id)
  while (!isSameBlock(at.id, target.id)) {
    if (links.length === MOST_LINKS || at.id.seqno <= target.id.seqno)
      throw new LiteError('failed', 'proof chain is too long')
    const proof = await source.headerProof(at)
    at = source.at(at.id.workchain, at.id.seqno - 1)
    links.push({ id: at.id, proof })
  }
  return links
}

export async function shardBlockProof(source: ChainSource, id: BlockIdExt): Promise<ShardBlockProofAnswer> {
  const located = source.locate(id)
  if (id.workchain === MASTERCHAIN) return { masterchainId: id, links: [] }
  const master = registrarOf(source, located)
  return { masterchainId: master.id, links: await linksTo(source, master, located) }
}

async function previousHeader(source: ChainSource, { id }: Located, mode: number): Promise<Uint8Array> {
  if (mode === lookupParts.seqno || id.seqno === 1) return NO_PROOF
  return await source.headerProof(source.at(id.workchain, id.seqno - 1))
}

/** What a look-up is about, once its block is found. */
interface FoundBlock {
  /** The masterchain block that the client knows. */
  readonly client: Located
  readonly target: Located
  readonly mode: number
}

/** Throws LiteError for blocks that are not there. */
export function findFor(source: ChainSource, query: BlockQuery, known: BlockIdExt): FoundBlock {
  const client = source.locateMaster(known, 'masterchain block id must be specified')
  const facts = find(source, query)
  return { client, target: { id: facts.id, facts }, mode: lookupMode(query) }
}

export async function lookupWithProof(
  source: ChainSource,
  { client, target, mode }: FoundBlock,
): Promise<LookupAnswer> {
  const isMaster = target.id.workchain === MASTERCHAIN
  const master = isMaster ? target : registrarOf(source, target)
  if (master.id.seqno > client.id.seqno)
    throw new LiteError('failed', "specified mc block is older than block's masterchain ref")
  const old = isSameBlock(master.id, client.id)
    ? { stateProof: NO_PROOF, dataProof: NO_PROOF }
    : separateBocs(await proveDetails(source, client, ({ previousBlocks }) => previousBlocks.get(master.id.seqno)))
  return {
    id: target.id,
    mode,
    masterchainId: master.id,
    clientMasterStateProof: old.stateProof,
    masterBlockProof: old.dataProof,
    shardLinks: isMaster ? [] : await linksTo(source, master, target),
    header: await source.headerProof(target),
    previousHeader: await previousHeader(source, target, mode),
  }
}
