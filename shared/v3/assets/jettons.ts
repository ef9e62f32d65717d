import { z } from 'zod'
import { method } from '../../method.ts'
import { cursorPage, Sort } from '../../page.ts'
import { AccountFilter, AccountList } from '../filters.ts'
import { sideExample, sidePageFields } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import {
  commentExample,
  contractExample,
  contractFields,
  eventExample,
  eventFields,
  eventFilters,
  forwardFields,
  TokenAttributes,
  TransferDirection,
  tokenExamples,
} from './parts.ts'

const group = 'jettons'

const side = { ...sidePageFields }
const sides = { ...sideExample, cursor: null }

const JettonMaster = z
  .object({
    address: RawAddress.describe('Master contract.'),
    total_supply: Digits.describe('Supply in the smallest units.'),
    mintable: z.boolean().describe('True when more can be minted.'),
    admin_address: RawAddress.nullable().describe('Administrator; null for none.'),
    jetton_content: TokenAttributes.nullable().describe('On-chain metadata (TEP-64); null when unreadable.'),
    jetton_wallet_code_hash: Base64Hash.describe('Hash of the code of its wallets.'),
    ...contractFields,
  })
  .meta({ id: 'JettonMaster' })

const JettonWallet = z
  .object({
    address: RawAddress.describe('Jetton wallet contract.'),
    balance: Digits.describe('Balance in the smallest units.'),
    owner: RawAddress.describe('Owner of the wallet.'),
    jetton: RawAddress.describe('Jetton master.'),
    ...contractFields,
    mintless_info: z
      .object({
        amount: Digits.describe('Claimable amount in the smallest units.'),
        start_from: z.int().nullable().describe('Claimable from, unix seconds; null for any time.'),
        expire_at: z.int().nullable().describe('Claimable until, unix seconds; null for no end.'),
        custom_payload_api_uri: z
          .array(z.string())
          .nullable()
          .describe('Services with the payload of the claim; null when unknown.'),
      })
      .meta({ id: 'MintlessInfo', description: 'Airdrop that can be claimed and is not yet.' })
      .optional()
      .describe('Airdrop that can be claimed; absent without one.'),
  })
  .meta({ id: 'JettonWallet' })

const JettonTransfer = z
  .object({
    ...eventFields,
    source: RawAddress.describe(
      'Who ordered it: the owner of the sending wallet, or the jetton master, if it may move tokens of other owners.',
    ),
    destination: RawAddress.describe('Owner of the receiving wallet.'),
    amount: Digits.describe('Amount in the smallest units.'),
    source_wallet: RawAddress.describe('Sending jetton wallet.'),
    jetton_master: RawAddress.describe('Jetton.'),
    forward_ton_amount: Digits.nullable().describe('Nanotons forwarded to the recipient; null when unreadable.'),
    ...forwardFields,
  })
  .meta({ id: 'JettonTransfer' })

const JettonBurn = z
  .object({
    ...eventFields,
    owner: RawAddress.describe(
      'Who ordered it: the owner of the wallet, or the jetton master, if it may burn tokens of other owners.',
    ),
    jetton_wallet: RawAddress.describe('Jetton wallet that burns.'),
    jetton_master: RawAddress.describe('Jetton.'),
    amount: Digits.describe('Amount in the smallest units.'),
  })
  .meta({ id: 'JettonBurn' })

const { OWNER, OTHER, JETTON, JETTON_WALLET } = tokenExamples

export const jettonsV3 = {
  'v3.jetton.masters': method({
    summary: 'Jettons, by address.',
    description:
      'To find jettons by address or administrator. For the holders of a jetton use v3.jetton.wallets; getTokenData reads one contract at the head of the chain.',
    group,
    params: z.strictObject({
      address: AccountList.optional().describe('Only these masters.'),
      admin_address: AccountList.optional().describe('Only jettons with one of these administrators.'),
      ...cursorPage(),
    }),
    result: z
      .object({ jetton_masters: z.array(JettonMaster).describe('Jettons of this page.'), ...side })
      .meta({ id: 'JettonMastersResponse' }),
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
    summary: 'Jetton wallets and their balances, by owner or by jetton, largest balance first.',
    description:
      'For the jettons of an owner pass `owner_address`, for the holders of a jetton `jetton_address`. Their history is v3.jetton.transfers.',
    group,
    params: z.strictObject({
      address: AccountList.optional().describe('Only these jetton wallets.'),
      owner_address: AccountList.optional().describe('Only wallets of these owners.'),
      jetton_address: AccountList.optional().describe('Only wallets of these masters; several need a single owner.'),
      exclude_zero_balance: z
        .boolean()
        .default(false)
        .describe('Leave out empty wallets; claimable amounts count as balance.'),
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({ jetton_wallets: z.array(JettonWallet).describe('Jetton wallets of this page.'), ...side })
      .meta({ id: 'JettonWalletsResponse' }),
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
    summary: 'Jetton transfers as seen by the sending wallets, failed ones included.',
    description:
      'For payments in a jetton: pass `owner_address` and `direction`. A transfer with `transaction_aborted` moved nothing. For swaps and sales too use v3.actions.',
    group,
    params: z.strictObject({
      owner_address: AccountList.optional().describe('Only transfers from or to these owners.'),
      jetton_wallet: AccountList.optional().describe('Only transfers sent by these jetton wallets.'),
      jetton_master: AccountFilter.optional().describe('Only transfers of this jetton.'),
      direction: TransferDirection.optional(),
      ...eventFilters,
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({ jetton_transfers: z.array(JettonTransfer).describe('Transfers of this page.'), ...side })
      .meta({ id: 'JettonTransfersResponse' }),
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
    summary: 'Jetton burns as seen by the burning wallets, failed ones included.',
    description:
      'A burn with `transaction_aborted` burnt nothing. For swaps and bridges, which burn as a part of something larger, use v3.actions.',
    group,
    params: z.strictObject({
      owner_address: AccountList.optional().describe('Only burns by these owners.'),
      jetton_wallet: AccountList.optional().describe('Only burns by these jetton wallets.'),
      jetton_master: AccountFilter.optional().describe('Only burns of this jetton.'),
      ...eventFilters,
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({ jetton_burns: z.array(JettonBurn).describe('Burns of this page.'), ...side })
      .meta({ id: 'JettonBurnsResponse' }),
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
