import { z } from 'zod'
import { method } from '../../method.ts'
import { cursorPage, NextCursor, Sort } from '../../page.ts'
import { AccountFilter, AccountList } from '../filters.ts'
import { AddressBook, Metadata, sideExample } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import {
  commentExample,
  contractExample,
  contractFields,
  eventExample,
  eventFields,
  eventFilters,
  forwardFields,
  TokenContent,
  TransferDirection,
  tokens,
} from './parts.ts'

const group = 'jettons'

const side = { address_book: AddressBook, metadata: Metadata, cursor: NextCursor }
const sides = { ...sideExample, cursor: null }

const JettonMaster = z
  .object({
    address: RawAddress,
    total_supply: Digits,
    mintable: z.boolean(),
    admin_address: RawAddress.nullable(),
    jetton_content: TokenContent.nullable(),
    jetton_wallet_code_hash: Base64Hash,
    ...contractFields,
  })
  .meta({ id: 'JettonMaster' })

const JettonWallet = z
  .object({
    address: RawAddress,
    balance: Digits,
    owner: RawAddress,
    jetton: RawAddress,
    ...contractFields,
    mintless_info: z
      .object({
        amount: Digits,
        start_from: z.int().nullable(),
        expire_at: z.int().nullable(),
        custom_payload_api_uri: z.array(z.string()).nullable(),
      })
      .optional()
      .meta({ id: 'MintlessInfo', description: 'A first amount that is known and not claimed yet.' }),
  })
  .meta({ id: 'JettonWallet' })

const JettonTransfer = z
  .object({
    ...eventFields,
    source: RawAddress.meta({ description: 'Owner of the wallet that sends.' }),
    destination: RawAddress.meta({ description: 'Owner of the wallet that gets.' }),
    amount: Digits,
    source_wallet: RawAddress,
    jetton_master: RawAddress,
    forward_ton_amount: Digits.nullable(),
    ...forwardFields,
  })
  .meta({ id: 'JettonTransfer' })

const JettonBurn = z
  .object({ ...eventFields, owner: RawAddress, jetton_wallet: RawAddress, jetton_master: RawAddress, amount: Digits })
  .meta({ id: 'JettonBurn' })

const { OWNER, OTHER, JETTON, JETTON_WALLET } = tokens

export const jettons = {
  'v3.jetton.masters': method({
    summary: 'Jettons, by address.',
    group,
    params: z.strictObject({
      address: AccountList.optional(),
      admin_address: AccountList.optional(),
      ...cursorPage(),
    }),
    result: z.object({ jetton_masters: z.array(JettonMaster), ...side }).meta({ id: 'JettonMastersResponse' }),
    rest: readsV3('jetton/masters'),
    freshness: 'index',
    emptyIsAbsent: 'exceptFilters',
    paged: true,
    example: {
      params: { address: [JETTON] },
      result: {
        jetton_masters: [
          {
            address: JETTON,
            total_supply: '1429976002510000',
            mintable: true,
            admin_address: OTHER,
            jetton_content: { uri: 'https://tether.to/usdt-ton.json', decimals: '6' },
            jetton_wallet_code_hash: 'iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=',
            ...contractExample,
          },
        ],
        ...sides,
      },
    },
  }),

  'v3.jetton.wallets': method({
    summary: 'Who holds how much of a jetton, what somebody holds. The largest balances first.',
    group,
    params: z.strictObject({
      address: AccountList.optional().meta({ description: 'Contracts that hold, whoever owns them.' }),
      owner_address: AccountList.optional(),
      jetton_address: AccountList.optional().meta({ description: 'Masters; of several, with one owner only.' }),
      exclude_zero_balance: z.boolean().default(false).meta({ description: 'What can still be claimed counts.' }),
      ...cursorPage(),
      sort: Sort,
    }),
    result: z.object({ jetton_wallets: z.array(JettonWallet), ...side }).meta({ id: 'JettonWalletsResponse' }),
    rest: readsV3('jetton/wallets'),
    freshness: 'index',
    emptyIsAbsent: 'exceptFilters',
    paged: true,
    example: {
      params: { owner_address: [OWNER] },
      result: {
        jetton_wallets: [
          { address: JETTON_WALLET, balance: '5000000', owner: OWNER, jetton: JETTON, ...contractExample },
        ],
        ...sides,
      },
    },
  }),

  'v3.jetton.transfers': method({
    summary: 'Transfers as the wallets that sent them saw them; whether they arrived is another matter.',
    group,
    params: z.strictObject({
      owner_address: AccountList.optional(),
      jetton_wallet: AccountList.optional().meta({ description: 'Wallets that sent.' }),
      jetton_master: AccountFilter.optional(),
      direction: TransferDirection.optional(),
      ...eventFilters,
      ...cursorPage(),
      sort: Sort,
    }),
    result: z.object({ jetton_transfers: z.array(JettonTransfer), ...side }).meta({ id: 'JettonTransfersResponse' }),
    rest: readsV3('jetton/transfers'),
    freshness: 'index',
    emptyIsAbsent: 'exceptFilters',
    paged: true,
    example: {
      params: { owner_address: [OWNER], direction: 'out' },
      result: {
        jetton_transfers: [
          {
            ...eventExample,
            source: OWNER,
            destination: OTHER,
            amount: '1000000',
            source_wallet: JETTON_WALLET,
            jetton_master: JETTON,
            forward_ton_amount: '1',
            ...commentExample,
          },
        ],
        ...sides,
      },
    },
  }),

  'v3.jetton.burns': method({
    summary: 'Burns as the wallets that were asked for them saw them, refused ones too.',
    group,
    params: z.strictObject({
      owner_address: AccountList.optional(),
      jetton_wallet: AccountList.optional(),
      jetton_master: AccountFilter.optional(),
      ...eventFilters,
      ...cursorPage(),
      sort: Sort,
    }),
    result: z.object({ jetton_burns: z.array(JettonBurn), ...side }).meta({ id: 'JettonBurnsResponse' }),
    rest: readsV3('jetton/burns'),
    freshness: 'index',
    emptyIsAbsent: 'exceptFilters',
    paged: true,
    example: {
      params: { jetton_wallet: [JETTON_WALLET] },
      result: {
        jetton_burns: [
          { ...eventExample, owner: OWNER, jetton_wallet: JETTON_WALLET, jetton_master: JETTON, amount: '1000000' },
        ],
        ...sides,
      },
    },
  }),
}
