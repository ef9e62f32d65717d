// What a search finds: each read goes along one index, and stops after a number of rows that does not depend on the data.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import { type AccountKey, account, bool, bytea, int4, int8, oneOf, text } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import type { StoreRead } from './read.ts'

/** Words read before the best tokens are chosen: a popular name has thousands of copies. */
const MOST_CANDIDATES = 200
const MOST_EXACT = 1000
/** Maximum holders or items that are counted: of each of the best tokens, and of each candidate. */
const MOST_COUNTED = 500
const SOME = 20
/** Tokens whose holders are counted up to the first maximum: more than a search returns. */
const MOST_BEST = 100

/** Sorts after every text with the same beginning. */
const endOf = (prefix: string): string => `${prefix}\u{10FFFF}`

const tokenKind = oneOf('jetton', 'nft_collection')
const decodeToken = decoderOf({ account, kind: tokenKind, isExact: bool, holders: int4 })

export type FoundToken = ReturnType<typeof decodeToken>

/** As an array, so that tables are looked up by it whatever number of candidates the planner expects. */
const ANY_CANDIDATE = sql`any(array(select account from candidates))`

const holdersOf = (most: SqlText): SqlText => sql`(select count(*) from (
  select from jetton_wallets w where w.jetton = c.account and w.balance > 0 limit ${most}) holding)::int4`
const itemsOf = (most: SqlText): SqlText => sql`(select count(*) from (
  select from nft_items i where i.collection = c.account limit ${most}) items)::int4`

/** Tokens with a word that begins so: exact ones first, then those with the most holders or items. */
export const tokensByNameRead = (prefix: string, limit: number): StoreRead<FoundToken> => ({
  statement: sql`with candidates as materialized (
      select n.account, bool_or(n.is_exact) as is_exact from (
        (select account, true as is_exact from token_names where word = ${prefix} order by account limit ${MOST_EXACT})
        union all
        (select account, word = ${prefix} from token_names where word >= ${prefix} and word < ${endOf(prefix)}
          order by word, account limit ${MOST_CANDIDATES})
      ) n group by n.account
    ), held as materialized (
      select c.account, 'jetton' as kind, c.is_exact, ${holdersOf(sql`${SOME}`)} as counted
      from candidates c where c.account in (select account from jetton_masters where account = ${ANY_CANDIDATE})
      union all
      select c.account, 'nft_collection', c.is_exact, ${itemsOf(sql`${SOME}`)}
      from candidates c where c.account in (select account from nft_collections where account = ${ANY_CANDIDATE})
    ), best as materialized (
      select * from held order by is_exact desc, counted desc, account limit ${MOST_BEST}
    ) select c.account, c.kind, c.is_exact, case when c.counted < ${SOME} then c.counted
        when c.kind = 'jetton' then ${holdersOf(sql`${MOST_COUNTED}`)} else ${itemsOf(sql`${MOST_COUNTED}`)} end as holders
    from best c order by is_exact desc, holders desc, account limit ${limit}`,
  toValue: decodeToken,
})

const decodeWord = decoderOf({ word: text })

/** The names next to a text in the order of the alphabet, one on each side. */
export const neighbouringNamesRead = (word: string): StoreRead<string> => ({
  statement: sql`(select word from token_names where word <= ${word} order by word desc limit 1)
    union all (select word from token_names where word > ${word} order by word limit 1)`,
  toValue: (row) => decodeWord(row).word,
})

const decodeDomain = decoderOf({ account, domain: text })

export type FoundDomain = ReturnType<typeof decodeDomain>

export const domainsByPrefixRead = (prefix: string, limit: number): StoreRead<FoundDomain> => ({
  statement: sql`select account, domain from dns_records where domain >= ${prefix} and domain < ${endOf(prefix)}
    order by domain limit ${limit}`,
  toValue: decodeDomain,
})

/** The domains next to a text in the order of the alphabet. */
export const neighbouringDomainsRead = (domain: string): StoreRead<string> => ({
  statement: sql`(select domain as word from dns_records where domain <= ${domain} order by domain desc limit 1)
    union all (select domain as word from dns_records where domain > ${domain} order by domain limit 1)`,
  toValue: (row) => decodeWord(row).word,
})

/** Bytes of a key, bounds included. */
export interface KeyRange {
  readonly from: Uint8Array
  readonly to: Uint8Array
}

const decodeAccountKey = decoderOf({ account })

export const accountsInRead = ({ from, to }: KeyRange, limit: number): StoreRead<AccountKey> => ({
  statement: sql`select account from accounts where account between ${from} and ${to} order by account limit ${limit}`,
  toValue: (row) => decodeAccountKey(row).account,
})

/** The accounts next to a key, one on each side. */
export const neighbouringAccountsRead = (key: AccountKey): StoreRead<AccountKey> => ({
  statement: sql`(select account from accounts where account <= ${key} order by account desc limit 1)
    union all (select account from accounts where account > ${key} order by account limit 1)`,
  toValue: (row) => decodeAccountKey(row).account,
})

/** Accounts with this code. */
export const accountsOfCodeRead = (codeHash: Uint8Array, limit: number): StoreRead<AccountKey> => ({
  statement: sql`select account from accounts where code_hash = ${codeHash} order by account limit ${limit}`,
  toValue: (row) => decodeAccountKey(row).account,
})

const hashKind = oneOf('transaction', 'message', 'trace', 'block', 'code')
const decodeHash = decoderOf({ kind: hashKind, hash: bytea, workchain: int4, shard: int8, seqno: int4 })

/** An object with a hash; workchain, shard and seqno are zero unless it is a block. */
export type FoundHash = ReturnType<typeof decodeHash>

const NO_PLACE = sql`0::int4 as workchain, 0::int8 as shard, 0::int4 as seqno`
const BLOCK = sql`'block' as kind, root_hash as hash, workchain::int4, shard, seqno`

/** Everything with this hash, each kind once. */
export const byHashRead = (hash: Uint8Array): StoreRead<FoundHash> => ({
  statement: sql`(select 'transaction' as kind, hash, ${NO_PLACE} from transactions where hash = ${hash})
    union all (select 'trace' as kind, trace_id, ${NO_PLACE} from traces where trace_id = ${hash} limit 1)
    union all (select 'message' as kind, hash, ${NO_PLACE} from messages where hash = ${hash})
    union all (select 'message' as kind, hash, ${NO_PLACE} from messages
      where hash_norm = ${hash} and hash <> ${hash} limit 1)
    union all (select ${BLOCK} from blocks where root_hash = ${hash} limit 1)
    union all (select ${BLOCK} from blocks where file_hash = ${hash} limit 1)
    union all (select 'code' as kind, hash, ${NO_PLACE} from codes where hash = ${hash})`,
  toValue: decodeHash,
})

/**
 * Messages, blocks and the first transactions of traces whose hash begins so. Of all transactions there is no index in the order
 * of hashes: a trace has the hash of its first one.
 */
export const hashesInRead = ({ from, to }: KeyRange, limit: number): StoreRead<FoundHash> => ({
  statement: sql`(select 'transaction' as kind, trace_id as hash, ${NO_PLACE} from traces
      where trace_id between ${from} and ${to} order by trace_id limit ${limit})
    union all (select 'message' as kind, hash, ${NO_PLACE} from messages
      where hash between ${from} and ${to} order by hash limit ${limit})
    union all (select ${BLOCK} from blocks where root_hash between ${from} and ${to} order by root_hash limit ${limit})`,
  toValue: decodeHash,
})

const nextTo = (kind: 'transaction' | 'message', table: SqlText, key: SqlText, hash: Uint8Array): SqlText => {
  const select = sql`select ${sql.raw(`'${kind}'`)} as kind, ${key} as hash, ${NO_PLACE} from ${table}`
  return sql`(${select} where ${key} < ${hash} order by ${key} desc limit 1)
    union all (${select} where ${key} > ${hash} order by ${key} limit 1)`
}

/** The messages and the first transactions of traces next to a hash. */
export const neighbouringHashesRead = (hash: Uint8Array): StoreRead<FoundHash> => ({
  statement: sql`${nextTo('transaction', sql.identifier('traces'), sql.identifier('trace_id'), hash)}
    union all ${nextTo('message', sql.identifier('messages'), sql.identifier('hash'), hash)}`,
  toValue: decodeHash,
})

export interface SearchedBlock {
  readonly workchain: number
  readonly shard: bigint
  readonly seqno: number
}

const decodePlace = decoderOf({ workchain: int4, shard: int8, seqno: int4 })

/** The block, or those next to it in its shard; and those of the same height in other shards of its workchain. */
export const nearestBlockRead = ({ workchain, shard, seqno }: SearchedBlock): StoreRead<SearchedBlock> => {
  const inShard = sql`select workchain::int4, shard, seqno from blocks
    where workchain = ${workchain}::int4 and shard = ${shard}`
  return {
    statement: sql`(${inShard} and seqno <= ${seqno} order by seqno desc limit 1)
      union all (${inShard} and seqno > ${seqno} order by seqno limit 1)
      union all (select workchain::int4, shard, seqno from blocks where seqno = ${seqno}
        and workchain = ${workchain}::int4 and shard <> ${shard} and ${workchain}::int4 <> -1
        order by shard limit 4)`,
    toValue: decodePlace,
  }
}
