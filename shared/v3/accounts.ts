import { z } from 'zod'
import { method } from '../method.ts'
import { page } from '../page.ts'
import { MasterSeqno } from '../v2/tonlib.ts'
import { AccountFilter, HashList } from './filters.ts'
import { AddressBook, Metadata, sideExample } from './sideObjects.ts'
import { AccountStatus, Base64Hash, Currencies, Digits, RawAddress, readsV3 } from './values.ts'

const group = 'accounts'

const MOST = 1000
const MOST_IN_BOOK = 1024
const NEEDED = 'address of account is required'
const ONE_NEEDED = 'at least 1 address required'

const accountList = z.strictObject({
  address: z.array(AccountFilter).min(1, NEEDED).max(MOST, `maximum ${MOST} addresses allowed`),
  include_boc: z.boolean().default(true).meta({ description: 'False leaves out the bags of code and data.' }),
  code_hash: HashList.optional().meta({ description: 'Only accounts whose code is one of these.' }),
  seqno: MasterSeqno.meta({
    description: 'Masterchain block to read at, for up to 100 accounts; the newest that is indexed when left out.',
  }),
})

/** Longest text that is looked at: what is no address is answered too. */
const NAME_LENGTH = 1024

const names = z.strictObject({
  address: z
    .array(z.string().max(NAME_LENGTH))
    .min(1, ONE_NEEDED)
    .max(MOST_IN_BOOK, `maximum ${MOST_IN_BOOK} addresses allowed`)
    .meta({ description: 'In any form.' }),
})

const BagText = z.string().meta({ description: 'Base64 of a bag of cells.' })

const side = { address_book: AddressBook, metadata: Metadata }

const AccountStateFull = z
  .object({
    address: RawAddress,
    account_state_hash: Base64Hash,
    balance: Digits,
    extra_currencies: Currencies,
    status: AccountStatus,
    last_transaction_hash: Base64Hash,
    last_transaction_lt: Digits,
    frozen_hash: Base64Hash.optional(),
    data_hash: Base64Hash.optional(),
    code_hash: Base64Hash.optional(),
    data_boc: BagText.optional(),
    code_boc: BagText.optional(),
    contract_methods: z.array(z.int()).nullable().meta({ description: 'Ids of its get-methods, ascending.' }),
    interfaces: z.array(z.string()),
  })
  .meta({ id: 'AccountStateFull' })

const WalletState = z
  .object({
    address: RawAddress,
    is_wallet: z.boolean(),
    wallet_type: z.string().optional(),
    seqno: z.int().optional(),
    wallet_id: z.int().optional(),
    is_signature_allowed: z.boolean().optional(),
    balance: Digits,
    extra_currencies: Currencies.optional(),
    status: AccountStatus,
    code_hash: Base64Hash.optional(),
    last_transaction_hash: Base64Hash,
    last_transaction_lt: Digits,
  })
  .meta({ id: 'WalletState' })

const WALLET = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'

const wallet = {
  address: '0:9DA971AF38D2F03ABDF308D5F91636A97E5A2B07A66C39D71D7CBAE3B032EDDC',
  balance: '71504017139',
  status: 'active',
  code_hash: '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=',
  last_transaction_hash: 'M/cybIpwmWf1YRociLn0xS4uyV/lm18Jor+JFilFu3E=',
  last_transaction_lt: '60056271000008',
} as const

export const accounts = {
  'v3.accountStates': method({
    summary: 'Accounts as they are now, in the order they were asked for; those never seen are left out.',
    group,
    params: accountList,
    result: z.object({ accounts: z.array(AccountStateFull), ...side }).meta({ id: 'AccountStatesResponse' }),
    rest: readsV3('accountStates'),
    freshness: 'index',
    whenMissing: { kind: 'invalidParams', words: { address: NEEDED } },
    example: {
      params: { address: [WALLET] },
      result: {
        accounts: [
          {
            ...wallet,
            account_state_hash: 'caRcnOgbSTnDAhjN1v7VVRcKh0dwvXO+nTYxYnxXx8E=',
            extra_currencies: {},
            data_hash: '+m6rIJZP18+3nPvC4jcv8gTtmiWWf3W1tZsQ6nH+Xec=',
            data_boc: 'te6ccgEBAQEAAgAAAA==',
            code_boc: 'te6ccgEBAQEAAgAAAA==',
            contract_methods: [0, 76407, 78748, 81467, 85143, 107653, 524287],
            interfaces: ['wallet_v4r2'],
          },
        ],
        ...sideExample,
      },
    },
  }),

  'v3.walletStates': method({
    summary: 'The same accounts as wallets: which one, its seqno and id. What is no wallet says so.',
    group,
    params: accountList,
    result: z.object({ wallets: z.array(WalletState), ...side }).meta({ id: 'WalletStatesResponse' }),
    rest: readsV3('walletStates'),
    freshness: 'index',
    whenMissing: { kind: 'invalidParams', words: { address: NEEDED } },
    example: {
      params: { address: [WALLET] },
      result: {
        wallets: [{ ...wallet, is_wallet: true, wallet_type: 'wallet v4 r2', seqno: 218, wallet_id: 698983191 }],
        ...sideExample,
      },
    },
  }),

  'v3.addressBook': method({
    summary: 'How accounts are called: friendly form, name in DNS, kinds of contract. What is no address has none.',
    group,
    params: names,
    result: AddressBook,
    rest: readsV3('addressBook'),
    freshness: 'index',
    whenMissing: { kind: 'invalidParams', words: { address: ONE_NEEDED } },
    example: {
      params: { address: [WALLET, 'nonsense'] },
      result: {
        [WALLET]: { user_friendly: WALLET, domain: null, interfaces: ['wallet_v4r2'] },
        nonsense: { user_friendly: null, domain: null, interfaces: [] },
      },
    },
  }),

  'v3.metadata': method({
    summary: 'What tokens accounts are, and the jettons of those that are jetton wallets; others are left out.',
    group,
    params: names,
    result: Metadata,
    rest: readsV3('metadata'),
    freshness: 'index',
    whenMissing: { kind: 'invalidParams', words: { address: ONE_NEEDED } },
    example: {
      params: { address: ['0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE'] },
      result: {
        '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE': {
          is_indexed: true,
          token_info: [
            { valid: true, type: 'jetton_masters', name: 'Tether USD', symbol: 'USD₮', extra: { decimals: '6' } },
          ],
        },
      },
    },
  }),

  'v3.topAccountsByBalance': method({
    summary: 'The richest accounts, among equals by address.',
    group,
    params: z.strictObject(page({ most: 1024 })),
    result: z.array(z.object({ account: RawAddress, balance: Digits }).meta({ id: 'AccountBalance' })),
    rest: readsV3('topAccountsByBalance'),
    freshness: 'index',
    example: {
      params: { limit: 1 },
      result: [
        {
          account: '-1:3333333333333333333333333333333333333333333333333333333333333333',
          balance: '643518190513216093',
        },
      ],
    },
  }),
}
