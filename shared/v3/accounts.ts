import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method } from '../method.ts'
import { page } from '../page.ts'
import { MasterSeqno } from '../v2/tonlib.ts'
import { WalletType } from '../walletType.ts'
import { AccountFilter, HashList, ONE_ADDRESS_NEEDED } from './filters.ts'
import { AddressBook, Metadata, sideExample, sideFields } from './sideObjects.ts'
import { Base64Hash, Currencies, Digits, IndexedStatus, RawAddress, readsV3 } from './values.ts'

const group = 'accounts'

const MOST = 1000
const MOST_IN_BOOK = 1024
const NEEDED = 'address of account is required'

const accountList = z.strictObject({
  address: z
    .array(AccountFilter)
    .min(1, NEEDED)
    .max(MOST, `maximum ${MOST} addresses allowed`)
    .describe('Accounts in any form, 1 to 1000.'),
  include_boc: z.boolean().default(true).describe('Include `code_boc` and `data_boc`.'),
  code_hash: HashList.optional().describe('Only accounts with one of these code hashes.'),
  seqno: MasterSeqno.meta({
    description: 'Masterchain block to read at, for up to 100 accounts; default the newest indexed.',
  }),
})

/** Maximum length; text that is not an address has an entry in the result too. */
const NAME_LENGTH = 1024

const names = z.strictObject({
  address: z
    .array(z.string().max(NAME_LENGTH))
    .min(1, ONE_ADDRESS_NEEDED)
    .max(MOST_IN_BOOK, `maximum ${MOST_IN_BOOK} addresses allowed`)
    .describe('Accounts in any form, 1 to 1024; other text is returned without data.'),
})

const BagText = z.string().meta({ description: 'Base64 of a bag of cells.' })

const side = { ...sideFields }

const AccountStateFull = z
  .object({
    address: RawAddress.describe('Account.'),
    account_state_hash: Base64Hash.describe('Hash of the account cell.'),
    balance: Digits.describe('Balance in nanotons.'),
    extra_currencies: Currencies.describe('Balances of extra currencies.'),
    status: IndexedStatus.describe('Status of the account.'),
    last_transaction_hash: Base64Hash.describe('Newest transaction.'),
    last_transaction_lt: Digits.describe('Logical time of the newest transaction.'),
    frozen_hash: Base64Hash.optional().describe('State hash of a frozen account.'),
    data_hash: Base64Hash.optional().describe('Hash of the data cell; absent without data.'),
    code_hash: Base64Hash.optional().describe('Hash of the code cell; absent without code.'),
    data_boc: BagText.optional().describe('Data, base64 BoC; absent with `include_boc=false`.'),
    code_boc: BagText.optional().describe('Code, base64 BoC; absent with `include_boc=false`.'),
    contract_methods: z.array(z.int()).nullable().describe('Ids of its get-methods, ascending; null when unknown.'),
    interfaces: z.array(z.string()).describe('Contract interfaces, detected by code hash or get-methods.'),
  })
  .meta({ id: 'AccountStateFull' })

const WalletState = z
  .object({
    address: RawAddress.describe('Account.'),
    is_wallet: z.boolean().describe('True when its code is a known wallet.'),
    wallet_type: WalletType.optional().describe('Wallet version; absent for other contracts.'),
    seqno: z.int().optional().describe('Sequence number of the next message.'),
    wallet_id: z.int().optional().describe('Wallet id, unsigned 32-bit; wallets v3 and later.'),
    is_signature_allowed: z.boolean().optional().describe('Wallet v5: false when only extensions may act.'),
    balance: Digits.describe('Balance in nanotons.'),
    extra_currencies: Currencies.optional().describe('Balances of extra currencies; absent without any.'),
    status: IndexedStatus.describe('Status of the account.'),
    code_hash: Base64Hash.optional().describe('Hash of the code cell; absent without code.'),
    last_transaction_hash: Base64Hash.describe('Newest transaction.'),
    last_transaction_lt: Digits.describe('Logical time of the newest transaction.'),
  })
  .meta({ id: 'WalletState' })

const WALLET = exampleValues.OWNER_FRIENDLY

const wallet = {
  address: exampleValues.OWNER,
  balance: '71504017139',
  status: 'active',
  code_hash: '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=',
  last_transaction_hash: 'M/cybIpwmWf1YRociLn0xS4uyV/lm18Jor+JFilFu3E=',
  last_transaction_lt: '60056271000008',
} as const

export const accountsV3 = {
  'v3.accountStates': method({
    summary: 'States of accounts, in the order of the request; unknown accounts are left out.',
    description:
      'Reads up to 1000 accounts in one call; pass `include_boc=false` when code and data are not needed: they are most of the reply, which holds 32 MB of them. The state is that of the newest indexed block; getAddressInformation reads the head of the chain.',
    group,
    params: accountList,
    result: z
      .object({ accounts: z.array(AccountStateFull).describe('States, in the order of the request.'), ...side })
      .meta({ id: 'AccountStatesResponse' }),
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
            data_hash: exampleValues.DATA_HASH,
            data_boc: exampleValues.CELL_WITHOUT_CHECKSUM,
            code_boc: exampleValues.CELL_WITHOUT_CHECKSUM,
            contract_methods: [0, 76407, 78748, 81467, 85143, 107653, 524287],
            interfaces: ['wallet_v4r2'],
          },
        ],
        ...sideExample,
      },
    },
  }),

  'v3.walletStates': method({
    summary: 'Wallet version, seqno and id of accounts; other contracts have `is_wallet` false.',
    description:
      'For lists of wallets, instead of a get-method for each. The state is that of the newest indexed block: right before signing read the seqno with getWalletInformation.',
    group,
    params: accountList,
    result: z
      .object({ wallets: z.array(WalletState).describe('Wallets, in the order of the request.'), ...side })
      .meta({ id: 'WalletStatesResponse' }),
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
    summary: 'Names of accounts: friendly address, DNS name, contract interfaces.',
    description:
      'To show accounts by name. Most v3 results carry the same as `address_book`: call it for other accounts only.',
    group,
    params: names,
    result: AddressBook,
    rest: readsV3('addressBook'),
    freshness: 'index',
    whenMissing: { kind: 'invalidParams', words: { address: ONE_ADDRESS_NEEDED } },
    example: {
      params: { address: [WALLET, 'nonsense'] },
      result: {
        [WALLET]: { user_friendly: WALLET, domain: null, interfaces: ['wallet_v4r2'] },
        nonsense: { user_friendly: null, domain: null, interfaces: [] },
      },
    },
  }),

  'v3.metadata': method({
    summary: 'Token metadata of accounts, and of the jettons of jetton wallets; other accounts are left out.',
    description:
      'To show tokens by name and image. Most v3 results carry the same as `metadata`: call it for other accounts only.',
    group,
    params: names,
    result: Metadata,
    rest: readsV3('metadata'),
    freshness: 'index',
    whenMissing: { kind: 'invalidParams', words: { address: ONE_ADDRESS_NEEDED } },
    example: {
      params: { address: [exampleValues.JETTON] },
      result: {
        [exampleValues.JETTON]: {
          is_indexed: true,
          token_info: [
            { valid: true, type: 'jetton_masters', name: 'Tether USD', symbol: 'USD₮', extra: { decimals: '6' } },
          ],
        },
      },
    },
  }),

  'v3.topAccountsByBalance': method({
    summary: 'Accounts with the largest balances, then by address.',
    description:
      'A snapshot of the newest indexed block: balances change between two pages. For the holders of a jetton use v3.jetton.wallets.',
    group,
    params: z.strictObject(page({ most: 1024 })),
    result: z.array(
      z
        .object({
          account: RawAddress.describe('Address of the account.'),
          balance: Digits.describe('Balance in nanotons.'),
        })
        .meta({ id: 'AccountBalance' }),
    ),
    rest: readsV3('topAccountsByBalance'),
    freshness: 'index',
    example: {
      params: { limit: 1 },
      result: [
        {
          account: exampleValues.ELECTOR,
          balance: '643518190513216093',
        },
      ],
    },
  }),
}
