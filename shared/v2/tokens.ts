import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Address, Digits } from '../primitives.ts'
import { CellText, MasterSeqno } from './tonlib.ts'

const group = 'tokens'

const StdAddress = z
  .object({ '@type': z.literal('addr_std'), workchain_id: z.int(), address: z.string().length(64) })
  .meta({ id: 'StdAddress', description: 'An address in parts; lowercase hex.' })

const Hex = z.string().length(64).meta({ description: 'Lowercase hex of 32 bytes.' })

export const DnsRecordOfItem = z
  .discriminatedUnion('@type', [
    z.object({ '@type': z.literal('dns_smc_address'), smc_addr: StdAddress }).meta({ id: 'ItemDnsSmcAddress' }),
    z.object({ '@type': z.literal('dns_next_resolver'), resolver: StdAddress }).meta({ id: 'ItemDnsNextResolver' }),
    z.object({ '@type': z.literal('dns_adnl_address'), adnl_addr: Hex }).meta({ id: 'ItemDnsAdnlAddress' }),
    z.object({ '@type': z.literal('dns_storage_address'), bag_id: Hex }).meta({ id: 'ItemDnsStorageAddress' }),
  ])
  .meta({ id: 'DnsRecordOfItem' })

const TokenContent = z
  .union([
    z
      .object({ type: z.literal('offchain'), data: z.string().meta({ description: 'Where the description lies.' }) })
      .meta({ id: 'OffchainContent' }),
    z
      .object({
        type: z.literal('onchain'),
        data: z.record(z.string(), z.string()).meta({
          description:
            'The description by attribute; with `uri` among them the rest lies there. `image_data` is base64.',
          id: 'OnchainAttributes',
        }),
      })
      .meta({ id: 'OnchainContent' }),
  ])
  .meta({ id: 'TokenContent' })

const DomainContent = z
  .object({
    domain: z.string(),
    data: z.record(z.string(), DnsRecordOfItem).meta({
      description: '`wallet`, `site`, `storage`, `dns_next_resolver`; other categories by their hash in uppercase hex.',
      id: 'DomainRecords',
    }),
  })
  .meta({ id: 'DomainContent' })

const Friendly = z.string().length(48).meta({ description: 'Friendly address, bounceable.' })
const Given = z.string().meta({ description: 'The address as it was asked for; raw in capitals.' })

const JettonMaster = z
  .object({
    '@type': z.literal('ext.tokens.jettonMasterData'),
    address: Given,
    contract_type: z.literal('jetton_master'),
    total_supply: Digits,
    mintable: z.boolean(),
    admin_address: Friendly.optional(),
    jetton_content: TokenContent,
    jetton_wallet_code: CellText,
  })
  .meta({ id: 'JettonMasterData' })

const JettonWallet = z
  .object({
    '@type': z.literal('ext.tokens.jettonWalletData'),
    address: Given,
    contract_type: z.literal('jetton_wallet'),
    balance: Digits,
    owner: Friendly,
    jetton: Friendly,
    mintless_is_claimed: z.boolean().optional(),
    jetton_wallet_code: CellText,
  })
  .meta({ id: 'JettonWalletData' })

const NftCollection = z
  .object({
    '@type': z.literal('ext.tokens.nftCollectionData'),
    address: Given,
    contract_type: z.literal('nft_collection'),
    next_item_index: Digits,
    owner_address: Friendly.optional(),
    collection_content: TokenContent,
  })
  .meta({ id: 'NftCollectionData' })

const NftItem = z
  .object({
    '@type': z.literal('ext.tokens.nftItemData'),
    address: Given,
    contract_type: z.literal('nft_item'),
    init: z.boolean(),
    index: Digits,
    collection_address: Friendly.optional(),
    owner_address: Friendly.optional(),
    content: z.union([TokenContent, DomainContent]),
  })
  .meta({ id: 'NftItemData' })

const MASTER = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'

export const tokens = {
  getTokenData: method({
    summary: 'What a jetton, a jetton wallet, an NFT collection or an NFT item says of itself, once others confirm it.',
    group,
    params: z.strictObject({ address: Address, seqno: MasterSeqno }),
    result: z.discriminatedUnion('@type', [JettonMaster, JettonWallet, NftCollection, NftItem]).meta({
      id: 'TokenData',
    }),
    rest: readsV2('getTokenData'),
    freshness: 'block',
    example: {
      params: { address: MASTER },
      result: {
        '@type': 'ext.tokens.jettonMasterData',
        address: MASTER,
        contract_type: 'jetton_master',
        total_supply: '1429976002510000',
        mintable: true,
        admin_address: 'EQBkQP48aUEDg5Y5RRc8SxFHm_C5tNcJDlh3e9pYHC-ZmG2M',
        jetton_content: { type: 'onchain', data: { uri: 'https://example.org/usd.json', decimals: '6' } },
        jetton_wallet_code: 'te6cckEBAQEAIwAIQgK6KRjIlH6bJa+awbiDNXdUFz5YEvgHo9bmQqFHCVlTlSN648M=',
      },
    },
  }),
}
