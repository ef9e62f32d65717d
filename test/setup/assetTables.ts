// Puts rows of tokens, names, sales and shared wallets into a store, as the indexer does.

import {
  type AssetKind,
  type AssetRow,
  type Sql,
  sql,
  type TokenMetadataRow,
  type AssetRows as Written,
} from '../../server/store/index.ts'
import { writeAssets } from '../../server/store/write/assets.ts'

type Contracts = { readonly [K in AssetKind]: readonly AssetRow[K][] }

export interface AssetRows extends Contracts, Pick<Written, 'jettonTransfers' | 'jettonBurns' | 'nftTransfers'> {
  readonly metadata: readonly TokenMetadataRow[]
}

/** No contracts of any kind. */
export const NO_CONTRACTS: Contracts = {
  jettonMasters: [],
  jettonWallets: [],
  nftCollections: [],
  nftItems: [],
  nftSales: [],
  dnsRecords: [],
  multisigs: [],
  multisigOrders: [],
  vestings: [],
  dedustPools: [],
}

const NONE: AssetRows = {
  ...NO_CONTRACTS,
  jettonTransfers: [],
  jettonBurns: [],
  nftTransfers: [],
  metadata: [],
}

export async function insertAssets(to: Sql, some: Partial<AssetRows>): Promise<void> {
  const { jettonTransfers, jettonBurns, nftTransfers, metadata, ...found } = { ...NONE, ...some }
  await writeAssets(to, { found, checked: [], itemLooks: [], codes: [], jettonTransfers, jettonBurns, nftTransfers })
  for (const { account, uri, json, fetchedAt } of metadata)
    await to.query(sql`insert into token_metadata (account, uri, json, fetched_at)
      values (${account}, ${uri}, ${json}, ${fetchedAt})`)
}
