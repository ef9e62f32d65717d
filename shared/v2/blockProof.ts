// Why a block is to be believed: signatures of validators, and links from blocks one believes already.

import { z } from 'zod'
import { Base64Hash, BlockIdExt, CellText } from './tonlib.ts'

const Signature = z
  .object({ '@type': z.literal('blocks.signature'), node_id_short: Base64Hash, signature: z.string().length(88) })
  .meta({ id: 'BlockSignature' })

const signed = { id: BlockIdExt, signatures: z.array(Signature) }

export const Signatures = z
  .discriminatedUnion('@type', [
    z.object({ '@type': z.literal('blocks.blockSignatures'), ...signed }).meta({ id: 'PlainBlockSignatures' }),
    z
      .object({
        '@type': z.literal('blocks.blockSignatures.simplex'),
        ...signed,
        session_id: Base64Hash,
        slot: z.int(),
        candidate: z.string(),
      })
      .meta({ id: 'SimplexBlockSignatures' }),
  ])
  .meta({ id: 'BlockSignatures' })

export const ShardLink = z
  .object({ '@type': z.literal('blocks.shardBlockLink'), id: BlockIdExt, proof: CellText })
  .meta({ id: 'ShardBlockLink' })

export const BackLink = z
  .object({
    '@type': z.literal('blocks.blockLinkBack'),
    to_key_block: z.boolean(),
    from: BlockIdExt,
    to: BlockIdExt,
    dest_proof: CellText,
    proof: CellText,
    state_proof: CellText,
  })
  .meta({ id: 'BlockLinkBack' })
