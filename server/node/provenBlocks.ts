// Blocks by something else than their full ids, each proven to be part of the chain that ends in the newest block of the
// lite server. Of that block itself the header is checked, no more: which chain is the right one is for `verifyBlockProof`.

import type { MasterchainInfo } from './answers.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from './blockId.ts'
import { LiteError } from './errors.ts'
import { type BlockQuery, chainParts, headerParts, type LiteOptions, type LiteServer } from './liteServer.ts'
import {
  ProofError,
  type ProvenBlock,
  stateHashOf,
  verifyBlockProof,
  verifyHeader,
  verifyLookup,
} from './verify/index.ts'

export type HeadSource = Pick<LiteServer, 'masterchainInfo' | 'header'>
export type BlockSource = HeadSource & Pick<LiteServer, 'lookupWithProof'>

/** The last head that was checked, by lite server: most calls between two blocks are about the same one. */
const checkedHeads = new WeakMap<object, MasterchainInfo>()

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const isSameHead = (a: MasterchainInfo, b: MasterchainInfo): boolean =>
  isSameBlock(a.last, b.last) && sameBytes(a.stateRootHash, b.stateRootHash) && a.lastUtime === b.lastUtime

/** The newest masterchain block, whose header is what its id says. Rejects with LiteError or ProofError. */
export async function provenHead(node: HeadSource, options: LiteOptions): Promise<MasterchainInfo> {
  const info = await node.masterchainInfo(options)
  const checked = checkedHeads.get(node)
  if (checked !== undefined && isSameHead(checked, info)) return info
  const { last, lastUtime, stateRootHash } = info
  const found = verifyHeader(last, await node.header(last, headerParts.stateUpdate, options))
  const isMaster = last.workchain === MASTERCHAIN && found.info.genUtime === lastUtime
  if (!isMaster || stateHashOf(found) !== Buffer.from(stateRootHash).toString('latin1'))
    throw new ProofError('answer', 'the newest block is not what its header says')
  checkedHeads.set(node, info)
  return info
}

const TOO_OLD = /older than block's masterchain ref/

/** A block by its number, logical time or time. Rejects with LiteError or ProofError. */
export async function provenBlock(node: BlockSource, query: BlockQuery, options: LiteOptions): Promise<ProvenBlock> {
  const lookup = async (): Promise<ProvenBlock> => {
    const { last } = await provenHead(node, options)
    return verifyLookup(query, last, await node.lookupWithProof(query, last, options))
  }
  try {
    return await lookup()
  } catch (error) {
    // A block was made between the two questions; it is known by now.
    if (error instanceof LiteError && TOO_OLD.test(error.message)) return await lookup()
    throw error
  }
}

/** The masterchain block with a seqno, the newest when it is undefined. Rejects with LiteError or ProofError. */
export async function provenMaster(
  node: BlockSource,
  seqno: number | undefined,
  options: LiteOptions,
): Promise<BlockIdExt> {
  const { last } = await provenHead(node, options)
  if (seqno === undefined || seqno === last.seqno) return last
  return (await provenBlock(node, { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, options)).id
}

const checkedZerostates = new WeakMap<object, BlockIdExt>()

/** The first state of the masterchain, as the newest block names it. Rejects with LiteError or ProofError. */
export async function provenZerostate(
  node: HeadSource & Pick<LiteServer, 'blockProof'>,
  { last, init }: Pick<MasterchainInfo, 'last' | 'init'>,
  options: LiteOptions,
): Promise<BlockIdExt> {
  const { workchain, rootHash, fileHash } = init
  const id = { workchain, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash }
  const checked = checkedZerostates.get(node)
  if (checked !== undefined && isSameBlock(checked, id)) return id
  const answer = await node.blockProof(last, id, chainParts.nearReference, options)
  if (!verifyBlockProof(last, id, answer).complete)
    throw new ProofError('link', 'the way to the zerostate is cut short')
  checkedZerostates.set(node, id)
  return id
}
