// The "@type" objects that several v2 methods share.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { parseHash } from '../parseHash.ts'
import { Digits, optionalName, Seqno } from '../primitives.ts'

/** 32 bytes in standard base64, padded. */
export const Base64Hash = z.string().length(44).meta({ id: 'Base64Hash', description: '32 bytes in standard base64.' })

export const TonBlockIdExt = z
  .object({
    '@type': z.literal('ton.blockIdExt'),
    workchain: z.int().describe('-1 for the masterchain, 0 for the basechain.'),
    shard: Digits.describe('Shard prefix as a signed 64-bit number; -9223372036854775808 is the whole workchain.'),
    seqno: z.int().describe('Height of the block in its shard.'),
    root_hash: Base64Hash.describe('Hash of the root cell of the block, base64.'),
    file_hash: Base64Hash.describe('SHA-256 of the serialized block, base64.'),
  })
  .meta({ id: 'BlockIdExt', description: 'Full id of a block.' })

/** Empty when there is no cell. */
export const CellText = z
  .string()
  .meta({ id: 'CellText', description: 'A bag of cells (BoC) in base64; empty when absent.' })

/** Empty when there is no hash. */
export const MaybeHash = z
  .string()
  .refine((text) => text === '' || text.length === 44)
  .meta({ id: 'MaybeHash', description: '32 bytes in standard base64; empty when there are none.' })

export const TvmCell = z
  .object({
    '@type': z.literal('tvm.cell'),
    bytes: CellText.describe('The cell, base64 BoC; empty when absent.'),
  })
  .meta({ id: 'TvmCell', description: 'A cell with all cells below it.' })

export const AccountAddress = z
  .object({
    '@type': z.literal('accountAddress'),
    account_address: z.string().describe('Friendly form, 48 characters of base64url.'),
  })
  .meta({ id: 'AccountAddress', description: 'Address of an account.' })

export const TransactionId = z
  .object({
    '@type': z.literal('internal.transactionId'),
    lt: Digits.describe('Logical time of the transaction; "0" when absent.'),
    hash: Base64Hash.describe('Hash of the transaction, base64; zeros when absent.'),
  })
  .meta({ id: 'TransactionId', description: 'A transaction of a known account, by logical time and hash.' })

export const ExtraCurrency = z
  .object({
    '@type': z.literal('extraCurrency'),
    id: z.int().describe('Number of the currency, a signed 32-bit integer.'),
    amount: Digits.describe('Amount in the smallest units of the currency.'),
  })
  .meta({ id: 'ExtraCurrency', description: 'An amount of a currency other than TON.' })

export const MasterSeqno = Seqno.optional().meta({
  description: 'Seqno of the masterchain block to read at; default: the newest.',
})

export const OptionalHash = optionalName('hash', parseHash)
  .meta({
    id: 'OptionalHash',
    format: 'ton-hash',
    description: '32 bytes in base64, base64url or hex; an empty text counts as absent.',
  })
  .optional()

/** For examples. */
export const transactionIdExample: z.input<typeof TransactionId> = {
  '@type': 'internal.transactionId',
  lt: '47670702000009',
  hash: exampleValues.HASH,
}
export const blockIdExample: z.input<typeof TonBlockIdExt> = {
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: '-9223372036854775808',
  seqno: 48213377,
  root_hash: exampleValues.ROOT_HASH,
  file_hash: exampleValues.FILE_HASH,
}
