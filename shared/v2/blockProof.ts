// Proofs of blocks: signatures of validators, and links from blocks the caller trusts already.

import { z } from 'zod'
import { Base64Hash, CellText, TonBlockIdExt } from './tonlib.ts'

const Signature = z
  .object({
    '@type': z.literal('blocks.signature'),
    node_id_short: Base64Hash.describe('Short id (key hash) of the validator, base64.'),
    signature: z.string().length(88).describe('Ed25519 signature, base64 of 64 bytes.'),
  })
  .meta({ id: 'BlockSignature', description: 'Signature of one validator.' })

const signed = {
  id: TonBlockIdExt.describe('The block that is signed.'),
  signatures: z.array(Signature).describe('Signatures of validators with over two thirds of the weight.'),
}

export const Signatures = z
  .discriminatedUnion('@type', [
    z
      .object({ '@type': z.literal('blocks.blockSignatures'), ...signed })
      .meta({ id: 'PlainBlockSignatures', description: 'Signatures of the block id itself.' }),
    z
      .object({
        '@type': z.literal('blocks.blockSignatures.simplex'),
        ...signed,
        session_id: Base64Hash.describe('Id of the consensus session, base64.'),
        slot: z.int().describe('Slot of the session the block was made in.'),
        candidate: z.string().describe('Candidate that was voted for, base64 of its TL serialization.'),
      })
      .meta({ id: 'SimplexBlockSignatures', description: 'Signatures of a vote of the Simplex consensus.' }),
  ])
  .meta({ id: 'BlockSignatures', description: 'Signatures on a masterchain block, in either form.' })

export const ShardLink = z
  .object({
    '@type': z.literal('blocks.shardBlockLink'),
    id: TonBlockIdExt.describe('The block this step leads to.'),
    proof: CellText.describe('Merkle proof in the block before it, base64 BoC.'),
  })
  .meta({ id: 'ShardBlockLink', description: 'A step from a block down to one it refers to.' })

export const BlockLinkBack = z
  .object({
    '@type': z.literal('blocks.blockLinkBack'),
    to_key_block: z.boolean().describe('Whether the step ends at a key block.'),
    from: TonBlockIdExt.describe('Masterchain block the step starts from.'),
    to: TonBlockIdExt.describe('Older masterchain block the step ends at.'),
    dest_proof: CellText.describe('Merkle proof of the header of `to`, base64 BoC.'),
    proof: CellText.describe('Merkle proof in `from` of the hash of its state, base64 BoC.'),
    state_proof: CellText.describe('Merkle proof in that state of the id of `to`, base64 BoC.'),
  })
  .meta({ id: 'BlockLinkBack', description: 'A step from a masterchain block to an older one.' })
