// First amounts of jettons that wallets have not claimed yet.

import type { Sql, StatementOptions } from '../../database.ts'
import { sql } from '../../sql.ts'
import { type AccountKey, account, nullable, text } from '../../tables/column.ts'
import { decoderOf } from '../../tables/decoder.ts'
import { type AirdropAmount, airdropAmounts } from '../../tables/offChain.ts'
import { bytesKey, distinctValues } from '../bytesKey.ts'
import { readAll, type StoreRead } from '../read.ts'

const { root, ...amountFields } = airdropAmounts.fields
const decodeOwed = decoderOf({ account, jetton: account, ...amountFields })

export interface Owed extends AirdropAmount {
  /** Address of the service with the proofs, as JSON from the jetton's description; null without one. */
  readonly proofs: string | null
}

/** Unclaimed amounts of these wallets, unordered. */
export const owedAmountsRead = (wallets: readonly AccountKey[]): StoreRead<ReturnType<typeof decodeOwed>> => ({
  statement: sql`select w.account, w.jetton, a.owner, a.amount, a.start_from, a.expire_at from jetton_wallets w
    join jetton_masters m on m.account = w.jetton
    join airdrop_amounts a on a.root = m.airdrop_root and a.owner = w.owner
    where w.account = any(${wallets}) and w.claimed = false`,
  toValue: decodeOwed,
})

const decodeProofs = decoderOf({ jetton: account, proofs: nullable(text) })

/** Of the JSON: it is written with each wallet of the jetton. */
const MOST_PROOFS = 4096

/** Addresses of the services with the proofs of these jettons, in no order; null for too long ones. */
export const proofsRead = (jettons: readonly AccountKey[]): StoreRead<ReturnType<typeof decodeProofs>> => ({
  statement: sql`select m.account as jetton, case when octet_length(p.proofs) <= ${MOST_PROOFS} then p.proofs end as proofs
    from jetton_masters m join token_metadata d on d.account = m.account and d.uri = m.content ->> 'uri'
    cross join lateral (select (d.json -> 'custom_payload_api_uri')::text as proofs) p
    where m.account = any(${jettons})`,
  toValue: decodeProofs,
})

/** Returns a lookup by wallet. Two statements for any number of wallets. */
export async function readOwed(
  from: Sql,
  wallets: readonly AccountKey[],
  options?: StatementOptions,
): Promise<(wallet: AccountKey) => Owed | null> {
  const amounts = wallets.length === 0 ? [] : await readAll(from, owedAmountsRead(wallets), options)
  if (amounts.length === 0) return () => null
  const jettons = distinctValues(amounts.map(({ jetton }) => jetton))
  const proofs = await readAll(from, proofsRead(jettons), options)
  const byJetton = new Map(proofs.map((one) => [bytesKey(one.jetton), one.proofs]))
  const owed = new Map(
    amounts.map((one) => [bytesKey(one.account), { proofs: byJetton.get(bytesKey(one.jetton)) ?? null, ...one }]),
  )
  return (wallet) => owed.get(bytesKey(wallet)) ?? null
}
