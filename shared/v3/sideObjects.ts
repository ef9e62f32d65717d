// What goes with the rows of most v3 results: names of the accounts in them, and metadata of their tokens.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { NextCursor } from '../page.ts'

export const AddressBookRow = z
  .object({
    user_friendly: z
      .string()
      .nullable()
      .describe('Friendly form, bounceable unless a wallet or not deployed; null for no address.'),
    domain: z.string().nullable().describe('DNS name that the account owns and that resolves to it, else null.'),
    interfaces: z.array(z.string()).describe('Contract interfaces, detected by code hash or get-methods.'),
  })
  .meta({ id: 'AddressBookRow' })

/** Fields without a value are left out. */
export const TokenInfo = z
  .object({
    valid: z.boolean().optional().describe('True when its metadata was read; absent before that.'),
    type: z
      .enum(['jetton_wallets', 'jetton_masters', 'nft_items', 'nft_collections'])
      .optional()
      .describe('Kind of token contract.'),
    name: z.string().optional().describe('Name from the metadata.'),
    symbol: z.string().optional().describe('Ticker of the jetton.'),
    description: z.string().optional().describe('Description from the metadata.'),
    image: z.string().optional().describe('Address of the image.'),
    nft_index: z.string().optional().describe('Index of an NFT item, decimal digits.'),
    is_nsfw: z.boolean().optional().describe('True when flagged as not safe for work.'),
    is_scam: z.boolean().optional().describe('True when flagged as a scam.'),
    extra: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Other metadata, such as `decimals`, `uri`, `attributes`.'),
  })
  .meta({ id: 'TokenInfo' })
export type TokenInfo = z.output<typeof TokenInfo>

export const AddressBook = z
  .record(z.string(), AddressBookRow)
  .meta({ id: 'AddressBook', description: 'By raw address, uppercase.' })
export type AddressBook = z.output<typeof AddressBook>

export const Metadata = z
  .record(
    z.string(),
    z
      .object({
        is_indexed: z.boolean().describe('True when off-chain metadata was fetched or is not needed.'),
        token_info: z.array(TokenInfo).describe('One entry for each kind of token the account is.'),
      })
      .meta({ id: 'AddressMetadata' }),
  )
  .meta({ id: 'Metadata', description: 'By raw address, uppercase; only of tokens.' })
export type Metadata = z.output<typeof Metadata>

/** What goes with the rows of a result: names alone, or tokens too; in lists by pages also the cursor. */
export const bookField = { address_book: AddressBook.describe('Names of the accounts in the result, by raw address.') }
const tokens = { metadata: Metadata.describe('Metadata of the tokens in the result, by raw address.') }

/** Where the next page begins. */
export const nextField = { cursor: NextCursor.describe('Where the next page begins; null on the last page.') }

export const sideFields = { ...bookField, ...tokens }
export const bookPageFields = { ...bookField, ...nextField }
export const sidePageFields = { ...sideFields, ...nextField }

const RAW = exampleValues.OWNER

/** For examples: of one wallet, without tokens. */
export const sideExample = {
  address_book: {
    [RAW]: {
      user_friendly: exampleValues.OWNER_FRIENDLY,
      domain: null,
      interfaces: ['wallet_v4r2'],
    },
  },
  metadata: {},
}
