// Which kind of token a contract is: each of the four is tested in turn.

import type { StdAddress } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import type { TokenContent } from '../../tlb/index.ts'
import type { Contracts } from '../contracts.ts'
import { type DomainContent, domainContent } from './domain.ts'
import { type JettonMasterData, type JettonWalletData, jettonMasterKind, jettonWalletKind } from './jetton.ts'
import { itemContent, type NftCollectionData, nftCollectionKind, nftItemKind } from './nft.ts'

export interface NftItem {
  readonly kind: 'nftItem'
  readonly isInit: boolean
  readonly index: bigint
  readonly collection: StdAddress | null
  readonly owner: StdAddress | null
  readonly content: TokenContent | DomainContent
}

export type TokenContractData = JettonMasterData | JettonWalletData | NftCollectionData | NftItem

async function wholeItem(contracts: Contracts, id: AccountId): Promise<NftItem | null> {
  const item = await nftItemKind.read(contracts, id)
  if (item === null) return null
  const domain = item.collection === null ? null : await domainContent(contracts, id)
  const content = domain ?? (await itemContent(contracts, item))
  if (content === null) return null
  const { individual, ...facts } = item
  return { kind: 'nftItem', content, ...facts }
}

const DETECTORS: readonly ((contracts: Contracts, id: AccountId) => Promise<TokenContractData | null>)[] = [
  jettonMasterKind.read,
  jettonWalletKind.read,
  nftCollectionKind.read,
  wholeItem,
]

/** The token a contract is; null for no token, or one that others do not confirm. Rejects as Contracts do. */
export async function detectToken(contracts: Contracts, id: AccountId): Promise<TokenContractData | null> {
  if (!(await contracts.isActive(id))) return null
  for (const detect of DETECTORS) {
    const facts = await detect(contracts, id)
    if (facts !== null) return facts
  }
  return null
}
