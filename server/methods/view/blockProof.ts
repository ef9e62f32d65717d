// Signatures and links of trust as they go over the wire.

import { toBase64 } from '../../../shared/base64.ts'
import type { Result } from '../../../shared/registry.ts'
import type { blocksV2 } from '../../../shared/v2/blocks.ts'
import type { BackLink, BlockIdExt, ShardBlockProofAnswer, SignatureSet } from '../../node/index.ts'
import { toBlockId } from './ids.ts'

export function toSignatures(id: BlockIdExt, set: SignatureSet): Result<typeof blocksV2.getMasterchainBlockSignatures> {
  const signatures = set.signatures.map(({ nodeIdShort, signature }) => ({
    '@type': 'blocks.signature' as const,
    node_id_short: toBase64(nodeIdShort),
    signature: toBase64(signature),
  }))
  const signed = { id: toBlockId(id), signatures }
  if (set.kind === 'ordinary') return { '@type': 'blocks.blockSignatures', ...signed }
  return {
    '@type': 'blocks.blockSignatures.simplex',
    session_id: toBase64(set.sessionId),
    slot: set.slot,
    candidate: toBase64(set.candidate),
    ...signed,
  }
}

const toBackLink = (link: BackLink) => ({
  '@type': 'blocks.blockLinkBack' as const,
  to_key_block: link.toKeyBlock,
  from: toBlockId(link.from),
  to: toBlockId(link.to),
  dest_proof: toBase64(link.destProof),
  proof: toBase64(link.proof),
  state_proof: toBase64(link.stateProof),
})

export const toShardBlockProof = (
  from: BlockIdExt,
  { masterchainId, links }: ShardBlockProofAnswer,
  way: readonly BackLink[],
): Result<typeof blocksV2.getShardBlockProof> => ({
  '@type': 'blocks.shardBlockProof',
  from: toBlockId(from),
  mc_id: toBlockId(masterchainId),
  links: links.map(({ id, proof }) => ({
    '@type': 'blocks.shardBlockLink',
    id: toBlockId(id),
    proof: toBase64(proof),
  })),
  mc_proof: way.map(toBackLink),
})
