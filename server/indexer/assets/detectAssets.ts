// What one contract is, kind by kind. One that lies, loops or leaves garbage is nothing, and that is all that comes of it.

import { type BinaryHash, CellError } from '../../cell/index.ts'
import {
  type BareItem,
  ContractError,
  type ContractKind,
  type Contracts,
  domainAuction,
  domainContent,
  itemContent,
  lastFillUp,
} from '../../contracts/index.ts'
import type { AccountId } from '../../node/index.ts'
import type { AccountKey, AssetKind, AssetRow, CodeRow, ContractRow, DnsRecordRow } from '../../store/index.ts'
import { encodeDomain } from '../../tlb/index.ts'
import { type KindName, kinds } from './candidates.ts'
import { isOfDomains } from './domainItems.ts'
import { auctionRow, saleRow, telemintRow } from './rows/sales.ts'
import { collectionRow, domainRow, itemRow, masterRow, walletRow } from './rows/tokens.ts'
import { multisigRow, orderRow, poolRow, vestingRow } from './rows/wallets.ts'

/** At most one row of each kind. */
export type DetectedAssets = { readonly [K in AssetKind]?: AssetRow[K] }

/** By account. */
export type Looked = ReadonlyMap<BinaryHash, DetectedAssets>

/** What was found in a step. */
export interface StepContracts {
  readonly looked: Looked
  /** Accounts that tables may have old rows of. */
  readonly checked: readonly AccountKey[]
  /** Code of which more is known than its row says. */
  readonly codes: readonly CodeRow[]
}

export interface Subject {
  readonly contracts: Contracts
  readonly id: AccountId
  readonly head: ContractRow
  readonly network: string
}

type Detector = (subject: Subject) => Promise<DetectedAssets | null>

type Found = DetectedAssets | Promise<DetectedAssets>

/** A detector of a kind that needs no more than its own facts. */
function simple<T>({ read }: ContractKind<T>, found: (head: ContractRow, facts: T) => Found): Detector {
  return async ({ contracts, id, head }) => {
    const facts = await read(contracts, id)
    return facts === null ? null : await found(head, facts)
  }
}

async function item(subject: Subject): Promise<DetectedAssets | null> {
  const { contracts, id, head } = subject
  const bare = await kinds.nftItem.read(contracts, id)
  if (bare === null) return null
  const content = await itemContent(contracts, bare)
  // One that is not initialised yet has nothing to say.
  if (content === null && bare.isInit) return null
  const dnsRecords = await domain(subject, bare)
  const nftItems = itemRow(head, { item: bare, content, domain: dnsRecords?.domain ?? null })
  return dnsRecords === null ? { nftItems } : { nftItems, dnsRecords }
}

async function domain({ contracts, id, head, network }: Subject, bare: BareItem): Promise<DnsRecordRow | null> {
  if (bare.collection === null || !(await isOfDomains(contracts, bare.collection, network))) return null
  const content = await domainContent(contracts, id)
  // A name that cannot be resolved does not count.
  if (content === null || encodeDomain(content.domain) === null) return null
  const auction = await domainAuction(contracts, id)
  const paid = await lastFillUp(contracts, id)
  return domainRow(head, { item: bare, content, auction, lastFillUp: paid })
}

const detectors: Readonly<Record<KindName, Detector>> = {
  jettonMaster: simple(kinds.jettonMaster, (head, facts) => ({ jettonMasters: masterRow(head, facts) })),
  jettonWallet: simple(kinds.jettonWallet, (head, facts) => ({ jettonWallets: walletRow(head, facts) })),
  nftCollection: simple(kinds.nftCollection, (head, facts) => ({ nftCollections: collectionRow(head, facts) })),
  nftItem: item,
  sale: simple(kinds.sale, (head, facts) => ({ nftSales: saleRow(head, facts) })),
  auction: simple(kinds.auction, (head, facts) => ({ nftSales: auctionRow(head, facts) })),
  telemint: simple(kinds.telemint, (head, facts) => ({ nftSales: telemintRow(head, facts) })),
  multisig: simple(kinds.multisig, (head, facts) => ({ multisigs: multisigRow(head, facts) })),
  multisigOrder: simple(kinds.multisigOrder, async (head, facts) => ({
    multisigOrders: await orderRow(head, facts),
  })),
  vesting: simple(kinds.vesting, (head, facts) => ({ vestings: vestingRow(head, facts) })),
  dedustPool: simple(kinds.dedustPool, (head, facts) => ({ dedustPools: poolRow(head, facts) })),
  dedustPoolV2: simple(kinds.dedustPoolV2, (head, facts) => ({ dedustPools: poolRow(head, facts) })),
}

/** Rejects for what is no contract's fault. */
export async function detect(subject: Subject, names: readonly KindName[]): Promise<DetectedAssets> {
  let found: DetectedAssets = {}
  for (const name of names) {
    try {
      found = { ...found, ...(await detectors[name](subject)) }
    } catch (error) {
      if (!(error instanceof ContractError) && !(error instanceof CellError)) throw error
    }
  }
  return found
}
