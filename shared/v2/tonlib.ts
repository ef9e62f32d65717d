// The "@type" objects that several v2 methods share.

import { z } from 'zod'
import { Digits } from '../primitives.ts'

/** 32 bytes in standard base64, padded. */
export const Base64Hash = z.string().length(44).meta({ id: 'Base64Hash', description: '32 bytes in standard base64.' })

export const BlockIdExt = z
  .object({
    '@type': z.literal('ton.blockIdExt'),
    workchain: z.int(),
    shard: Digits,
    seqno: z.int(),
    root_hash: Base64Hash,
    file_hash: Base64Hash,
  })
  .meta({ id: 'BlockIdExt' })
