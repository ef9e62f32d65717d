// The "@type" objects that several v2 methods share.

import { z } from 'zod'
import { parseHash } from '../hash.ts'
import { clip, Digits, Seqno } from '../primitives.ts'

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

/** A bag of cells in standard base64; empty for what is not there. */
export const CellText = z
  .string()
  .meta({ id: 'CellText', description: 'Base64 of a bag of cells; empty when there is none.' })

/** A hash in standard base64; empty for what is not there. */
export const MaybeHash = z
  .string()
  .refine((text) => text === '' || text.length === 44)
  .meta({ id: 'MaybeHash', description: '32 bytes in standard base64; empty when there are none.' })

export const TvmCell = z.object({ '@type': z.literal('tvm.cell'), bytes: CellText }).meta({ id: 'TvmCell' })

export const AccountAddress = z
  .object({ '@type': z.literal('accountAddress'), account_address: z.string() })
  .meta({ id: 'AccountAddress' })

export const TransactionId = z
  .object({ '@type': z.literal('internal.transactionId'), lt: Digits, hash: Base64Hash })
  .meta({ id: 'TransactionId' })

export const ExtraCurrency = z
  .object({ '@type': z.literal('extraCurrency'), id: z.int(), amount: Digits })
  .meta({ id: 'ExtraCurrency' })

/** The newest masterchain block when left out. */
export const MasterSeqno = Seqno.optional().meta({
  description: 'Masterchain block to read at; the newest when left out.',
})

/** A hash that may be left out, or be empty, which is the same. */
export const OptionalHash = z
  .string()
  .max(128)
  .transform((text, context): Uint8Array | undefined => {
    if (text === '') return undefined
    const hash = parseHash(text)
    if (hash === null) context.addIssue(`invalid hash: '${clip(text)}'`)
    return hash ?? undefined
  })
  .meta({ id: 'OptionalHash', format: 'ton-hash', description: '32 bytes in any spelling; empty counts as left out.' })
  .optional()
