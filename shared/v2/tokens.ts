import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { AnyAddress, Digits } from '../primitives.ts'
import { CellText, MasterSeqno } from './tonlib.ts'

const group = 'tokens'

const StdAddress = z
  .object({
    '@type': z.literal('addr_std'),
    workchain_id: z.int().describe('-1 for the masterchain, 0 for the basechain.'),
    address: z.string().length(64).describe('Lowercase hex of the account id, 32 bytes.'),
  })
  .meta({ id: 'StdAddress', description: 'An address in parts.' })

const Hex = z.string().length(64).meta({ description: 'Lowercase hex of 32 bytes.' })

export const DnsRecordOfItem = z
  .discriminatedUnion('@type', [
    z
      .object({ '@type': z.literal('dns_smc_address'), smc_addr: StdAddress.describe('The account.') })
      .meta({ id: 'ItemDnsSmcAddress', description: 'An account, such as a wallet.' }),
    z
      .object({ '@type': z.literal('dns_next_resolver'), resolver: StdAddress.describe('Contract to query next.') })
      .meta({ id: 'ItemDnsNextResolver', description: 'Resolver of subdomains.' }),
    z
      .object({
        '@type': z.literal('dns_adnl_address'),
        adnl_addr: Hex.describe('ADNL address, lowercase hex of 32 bytes.'),
      })
      .meta({ id: 'ItemDnsAdnlAddress', description: 'A site in the TON network.' }),
    z
      .object({
        '@type': z.literal('dns_storage_address'),
        bag_id: Hex.describe('Id of a bag in TON Storage, lowercase hex of 32 bytes.'),
      })
      .meta({ id: 'ItemDnsStorageAddress', description: 'A bag in TON Storage.' }),
  ])
  .meta({ id: 'DnsRecordOfItem', description: 'A DNS record of a domain.' })

const TokenContent = z
  .union([
    z
      .object({
        type: z.literal('offchain').describe('The metadata is a file elsewhere.'),
        data: z.string().describe('URI of the metadata (JSON).'),
      })
      .meta({ id: 'OffchainContent', description: 'Off-chain metadata.' }),
    z
      .object({
        type: z.literal('onchain').describe('The metadata is stored in the contract.'),
        data: z
          .record(z.string(), z.string())
          .meta({ id: 'OnchainAttributes', description: 'Attributes of a token.' })
          .describe('Attributes by name; further ones are at `uri` when it is among them. `image_data` is base64.'),
      })
      .meta({ id: 'OnchainContent', description: 'On-chain metadata.' }),
  ])
  .meta({ id: 'TokenContent', description: 'Metadata of a token (TEP-64).' })

const DomainContent = z
  .object({
    domain: z.string().describe('Domain name, such as `foundation.ton`.'),
    data: z
      .record(z.string(), DnsRecordOfItem)
      .meta({ id: 'DomainRecords', description: 'DNS records of a domain.' })
      .describe(
        'Records by category: `wallet`, `site`, `storage`, `dns_next_resolver`, others by uppercase hex of their hash.',
      ),
  })
  .meta({ id: 'DomainContent', description: 'A domain and its records.' })

const friendly = (owner: string) => z.string().length(48).describe(`${owner}, friendly form, bounceable.`)
const optionalFriendly = (owner: string) =>
  friendly(owner).optional().describe(`${owner}, friendly form; absent without one.`)
const Given = z.string().describe('Address in the form it was given in; a raw one in uppercase.')
const walletCode = CellText.describe('Code of its jetton wallets, base64 BoC.')

const JettonMaster = z
  .object({
    '@type': z.literal('ext.tokens.jettonMasterData'),
    address: Given,
    contract_type: z.literal('jetton_master').describe('A jetton.'),
    total_supply: Digits.describe('Supply in the smallest units of the jetton.'),
    mintable: z.boolean().describe('Whether more can be minted.'),
    admin_address: optionalFriendly('Administrator'),
    jetton_content: TokenContent.describe('Metadata: name, symbol, decimals or where they are.'),
    jetton_wallet_code: walletCode,
  })
  .meta({ id: 'JettonMasterData', description: 'A jetton.' })

const JettonWallet = z
  .object({
    '@type': z.literal('ext.tokens.jettonWalletData'),
    address: Given,
    contract_type: z.literal('jetton_wallet').describe('A jetton wallet.'),
    balance: Digits.describe('Balance in the smallest units of the jetton.'),
    owner: friendly('Owner'),
    jetton: friendly('Jetton master'),
    mintless_is_claimed: z
      .boolean()
      .optional()
      .describe('Whether the airdrop of a mintless jetton was claimed; absent for other jettons.'),
    jetton_wallet_code: walletCode,
  })
  .meta({ id: 'JettonWalletData', description: 'A jetton wallet.' })

const NftCollection = z
  .object({
    '@type': z.literal('ext.tokens.nftCollectionData'),
    address: Given,
    contract_type: z.literal('nft_collection').describe('An NFT collection.'),
    next_item_index: Digits.describe('Index the next item gets; "-1" when items have no order.'),
    owner_address: optionalFriendly('Owner'),
    collection_content: TokenContent.describe('Metadata of the collection.'),
  })
  .meta({ id: 'NftCollectionData', description: 'An NFT collection.' })

const NftItem = z
  .object({
    '@type': z.literal('ext.tokens.nftItemData'),
    address: Given,
    contract_type: z.literal('nft_item').describe('An NFT item.'),
    init: z.boolean().describe('Whether the collection has initialized the item.'),
    index: Digits.describe('Index in the collection; a 256-bit hash for domains.'),
    collection_address: optionalFriendly('Collection'),
    owner_address: optionalFriendly('Owner'),
    content: z.union([TokenContent, DomainContent]).describe('Metadata, or the records of a domain.'),
  })
  .meta({ id: 'NftItemData', description: 'An NFT item.' })

const MASTER = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'

export const tokensV2 = {
  getTokenData: method({
    summary: 'Data of a jetton, jetton wallet, NFT collection or NFT item.',
    description:
      'Runs get-methods of the contract and of its master or collection, which must confirm it: 409 when it is no token. For lists (wallets of an owner, items of a collection) use v3.jetton.wallets and v3.nft.items.',
    group,
    params: z.strictObject({
      address: AnyAddress.describe('The token contract, in raw or friendly form.'),
      seqno: MasterSeqno,
    }),
    result: z.discriminatedUnion('@type', [JettonMaster, JettonWallet, NftCollection, NftItem]).meta({
      id: 'TokenData',
      description: 'A token; `@type` is its kind.',
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
