// Proofs from a masterchain block down to a shard block: the newest one it registers, then block by block backwards. And
// look-ups: such a proof together with a proof that the found block fits the query.

import { sameBytes } from '../../cell/index.ts'
import { topShardOf } from '../../tlb/index.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, type ShardId, shardHolds } from '../blockId.ts'
import type { LookupAnswer, ShardBlockLink, ShardBlockProofAnswer } from '../liteAnswers.ts'
import type { BlockQuery } from '../liteServer.ts'
import { type BlockTimes, blockTimesOf, type ProvenBlock, previousBlocksOf, provenBlock, provenBody } from './header.ts'
import { provenOldBlock } from './oldBlockLeaf.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, refusing } from './readProof.ts'
import { shardHashesOf } from './shards.ts'

/** Maximum blocks of a shard between two masterchain blocks. */
const MOST_LINKS = 8

/** Whether one of two shards contains the other. */
export const shardsMeet = (a: ShardId, b: ShardId): boolean =>
  a.workchain === b.workchain && (shardHolds(a.shard, b.shard) || shardHolds(b.shard, a.shard))

function checkLinks(master: BlockIdExt, target: BlockIdExt, links: readonly ShardBlockLink[]): void {
  demand(links.length > 0 && links.length <= MOST_LINKS, 'link', `${links.length} links down to a shard block`)
  let at = master
  for (const { id, proof } of links) {
    const named = at === master ? registered(at, proof, id) : previousBlocksOf(provenBlock(at, proof))
    demand(
      named.some((one) => isSameBlock(one, id)),
      'link',
      'a link leads to a block that is not named there',
    )
    demand(shardsMeet(id, target), 'link', 'a link leads into another shard')
    at = id
  }
  demandSameBlock(at, target, 'link')
}

/** What a masterchain block registers as the target of a link. */
function registered(master: BlockIdExt, proof: Uint8Array, id: BlockIdExt): readonly BlockIdExt[] {
  const top = topShardOf(shardHashesOf(provenBody(master, proof)), id)
  return top === null ? [] : [top.id]
}

/** Checks that a trusted masterchain block registers a shard block, directly or through a later one. */
export function verifyShardBlockProof(master: BlockIdExt, id: BlockIdExt, answer: ShardBlockProofAnswer): void {
  refusing('shard block', () => {
    demandSameBlock(answer.masterchainId, master)
    if (id.workchain !== MASTERCHAIN) return checkLinks(master, id, answer.links)
    demand(isSameBlock(master, id) && answer.links.length === 0, 'link', 'another masterchain block')
  })
}

function checkRegistrar(known: BlockIdExt, answer: LookupAnswer): void {
  const { masterchainId } = answer
  demand(masterchainId.workchain === MASTERCHAIN, 'answer', 'not a masterchain block')
  if (isSameBlock(masterchainId, known)) return
  demand(masterchainId.seqno < known.seqno, 'link', 'a masterchain block that comes after the known one')
  const old = provenOldBlock(known, answer.clientMasterStateProof, answer.masterBlockProof, masterchainId.seqno)
  const isIt =
    old !== null && sameBytes(old.rootHash, masterchainId.rootHash) && sameBytes(old.fileHash, masterchainId.fileHash)
  demand(isIt, 'link', 'the known state names another masterchain block')
}

/** Whether a block ends before what is looked for. */
export function isBehind(query: BlockQuery, { endLt, genUtime }: Pick<BlockTimes, 'endLt' | 'genUtime'>): boolean {
  if ('lt' in query) return endLt < query.lt
  return 'utime' in query && genUtime < query.utime
}

/** Checks that the found block fits the query: by its header, and for times also that the previous block is too early. */
function checkMark(query: BlockQuery, found: ProvenBlock, answer: LookupAnswer): void {
  const { info } = found
  if ('seqno' in query) {
    demand(info.seqno === query.seqno, 'answer', `block ${info.seqno} where ${query.seqno} was looked for`)
    return
  }
  const before = previousBlocksOf(found).find((one) => shardHolds(one.shard, query.shard))
  demand(before !== undefined, 'link', 'no block before the one found has to do with the shard')
  const isBeyond = ({ endLt, genUtime }: BlockTimes): boolean =>
    'lt' in query ? endLt > query.lt : genUtime > query.utime
  demand(!isBehind(query, info), 'answer', 'the block found comes before what was looked for')
  if (before.seqno === 0) return
  const earlier = blockTimesOf(provenBody(before, answer.previousHeader))
  demand(earlier.seqno === before.seqno && !isBeyond(earlier), 'answer', 'an earlier block fits as well')
}

/** Checks a look-up against a trusted masterchain block. */
export function verifyLookup(query: BlockQuery, known: BlockIdExt, answer: LookupAnswer): ProvenBlock {
  return refusing('look-up', () => {
    const { id } = answer
    const holds = id.workchain === query.workchain && shardHolds(id.shard, query.shard)
    demand(holds, 'answer', 'a block of another shard')
    checkRegistrar(known, answer)
    if (id.workchain === MASTERCHAIN) demand(isSameBlock(id, answer.masterchainId), 'link', 'another masterchain block')
    else checkLinks(answer.masterchainId, id, answer.shardLinks)
    const found = provenBlock(id, answer.header)
    checkMark(query, found, answer)
    return found
  })
}
