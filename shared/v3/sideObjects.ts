// What stands beside the rows of most v3 answers: how the accounts in them are called, and what tokens they are.

import { z } from 'zod'

export const AddressBookRow = z
  .object({
    user_friendly: z.string().nullable().meta({ description: 'Bounceable unless it is a wallet or not deployed.' }),
    domain: z.string().nullable().meta({ description: 'Name in DNS that belongs to the account and leads to it.' }),
    interfaces: z.array(z.string()).meta({ description: 'Kinds of contract it is, by code or by get-methods.' }),
  })
  .meta({ id: 'AddressBookRow' })

/** Fields that say nothing of the token are left out. */
export const TokenInfo = z
  .object({
    valid: z.boolean().optional(),
    type: z.enum(['jetton_wallets', 'jetton_masters', 'nft_items', 'nft_collections']).optional(),
    name: z.string().optional(),
    symbol: z.string().optional(),
    description: z.string().optional(),
    image: z.string().optional(),
    nft_index: z.string().optional(),
    is_nsfw: z.boolean().optional(),
    is_scam: z.boolean().optional(),
    extra: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'TokenInfo' })

export const AddressBook = z
  .record(z.string(), AddressBookRow)
  .meta({ id: 'AddressBook', description: 'By raw address, uppercase.' })

export const Metadata = z
  .record(
    z.string(),
    z.object({ is_indexed: z.boolean(), token_info: z.array(TokenInfo) }).meta({ id: 'AddressMetadata' }),
  )
  .meta({ id: 'Metadata', description: 'By raw address, uppercase; only of tokens.' })

const RAW = '0:9DA971AF38D2F03ABDF308D5F91636A97E5A2B07A66C39D71D7CBAE3B032EDDC'

/** For examples: of one wallet, without tokens. */
export const sideExample = {
  address_book: {
    [RAW]: {
      user_friendly: 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4',
      domain: null,
      interfaces: ['wallet_v4r2'],
    },
  },
  metadata: {},
}
