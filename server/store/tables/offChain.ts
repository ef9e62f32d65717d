// What tokens point to outside of the chain: descriptions, and dictionaries of first amounts of jettons. Two tables hold what
// was fetched, two hold what is still to be fetched.

import { account, bytea, int4, int8, json, nullable, numeric, text, uint32 } from './column.ts'
import { type RowFrom, table } from './table.ts'

export const tokenMetadata = table('token_metadata', {
  account,
  uri: text,
  /** Null when it could not be read. */
  json: nullable(json),
  fetchedAt: uint32,
})

export type TokenMetadataRow = RowFrom<typeof tokenMetadata>

export const metadataQueue = table('metadata_queue', {
  account,
  uri: text,
  /** Number of failed fetches. */
  attempts: int4,
  /** Unix seconds. */
  retryAt: uint32,
})

/** First amounts, by the hash of their dictionary: several jettons may name the same one. */
export const airdropAmounts = table(
  'airdrop_amounts',
  {
    root: bytea,
    owner: account,
    amount: numeric,
    /** Unix seconds between which it can be claimed. */
    startFrom: int8,
    expireAt: int8,
  },
  { onConflict: 'keep' },
)

/** A first amount of an owner, which the wallet has once it is claimed. */
export type AirdropAmount = Omit<RowFrom<typeof airdropAmounts>, 'root'>

export const airdropDumps = table('airdrop_dumps', {
  jetton: account,
  uri: text,
  /** Hash of the dictionary. */
  root: bytea,
  /** Number of failed fetches. */
  attempts: int4,
  /** Unix seconds; null for a dictionary that was read, or is not to be fetched again. */
  retryAt: nullable(uint32),
})
