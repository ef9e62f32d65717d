// Tokens as they go over the wire.

import { type ParsedAddress, toFriendly, toRawUpper } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Result } from '../../../shared/registry.ts'
import type { tokensV2 } from '../../../shared/v2/tokens.ts'
import { hashToHex } from '../../cell/index.ts'
import type { DomainContent, TokenContractData } from '../../contracts/index.ts'
import { DNS_CATEGORIES, dnsCategoryHash, type TokenContent } from '../../tlb/index.ts'
import { toCellText } from './account.ts'
import { friendlyOf, toRecordOfItem } from './dns.ts'

type TokenData = Result<typeof tokensV2.getTokenData>
type OfKind<T extends TokenData['contract_type']> = Extract<TokenData, { contract_type: T }>
type Records = Extract<OfKind<'nft_item'>['content'], { domain: string }>['data']

/** As it was given: raw in capitals, friendly with its own flags. */
export const asGiven = (address: ParsedAddress): string =>
  address.form === 'raw' ? toRawUpper(address) : toFriendly(address)

const toContent = (content: TokenContent): OfKind<'jetton_master'>['jetton_content'] =>
  content.kind === 'offchain'
    ? { type: 'offchain', data: content.uri }
    : { type: 'onchain', data: { ...content.values } }

const NAMES = new Map<string, string>(DNS_CATEGORIES.map((name) => [hashToHex(dnsCategoryHash(name)), name]))

function toDomain({ domain, records }: DomainContent): OfKind<'nft_item'>['content'] {
  const data: Records = {}
  for (const [category, record] of records) {
    const onWire = toRecordOfItem(record)
    if (onWire !== null) data[NAMES.get(category) ?? category.toUpperCase()] = onWire
  }
  return { domain, data }
}

export function toTokenData(given: ParsedAddress, facts: TokenContractData): TokenData {
  const address = asGiven(given)
  switch (facts.kind) {
    case 'jettonMaster':
      return {
        '@type': 'ext.tokens.jettonMasterData',
        address,
        contract_type: 'jetton_master',
        total_supply: toDigits(facts.totalSupply),
        mintable: facts.mintable,
        jetton_content: toContent(facts.content),
        jetton_wallet_code: toCellText(facts.walletCode),
        ...(facts.admin && { admin_address: friendlyOf(facts.admin) }),
      }
    case 'jettonWallet':
      return {
        '@type': 'ext.tokens.jettonWalletData',
        address,
        contract_type: 'jetton_wallet',
        balance: toDigits(facts.balance),
        owner: friendlyOf(facts.owner),
        jetton: friendlyOf(facts.master),
        jetton_wallet_code: toCellText(facts.walletCode),
        ...(facts.isClaimed === null ? {} : { mintless_is_claimed: facts.isClaimed }),
      }
    case 'nftCollection':
      return {
        '@type': 'ext.tokens.nftCollectionData',
        address,
        contract_type: 'nft_collection',
        next_item_index: toDigits(facts.nextIndex),
        collection_content: toContent(facts.content),
        ...(facts.owner && { owner_address: friendlyOf(facts.owner) }),
      }
    case 'nftItem':
      return {
        '@type': 'ext.tokens.nftItemData',
        address,
        contract_type: 'nft_item',
        init: facts.isInit,
        index: toDigits(facts.index),
        content: facts.content.kind === 'domain' ? toDomain(facts.content) : toContent(facts.content),
        ...(facts.collection && { collection_address: friendlyOf(facts.collection) }),
        ...(facts.owner && { owner_address: friendlyOf(facts.owner) }),
      }
  }
}
