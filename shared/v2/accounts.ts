import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method, readsV2 } from '../method.ts'
import { AnyAddress, Digits, PackableAddress } from '../primitives.ts'
import { WalletType } from '../walletType.ts'
import { ExtendedAccountState } from './accountState.ts'
import {
  AccountAddress,
  blockIdExample,
  CellText,
  ExtraCurrency,
  MasterSeqno,
  MaybeHash,
  TonBlockIdExt,
  TransactionId,
  TvmCell,
  transactionIdExample,
} from './tonlib.ts'

const group = 'accounts'

const address = AnyAddress.describe('The account, in raw or friendly form.')
const account = z.strictObject({ address, seqno: MasterSeqno })

const Status = z.enum(['uninitialized', 'active', 'frozen']).meta({
  id: 'AccountStatus',
  description: '`uninitialized` is also an account that does not exist.',
})

/** Fields of every description of an account. */
const balance = Digits.describe('Nanotons; "0" when the account does not exist.')
const extra_currencies = z.array(ExtraCurrency).describe('Balances in currencies other than TON.')
const last_transaction_id = TransactionId.describe('Newest transaction of the account; zeros when it has none.')
const block_id = TonBlockIdExt.describe('Block the account was read at.')
const sync_utime = z.int().describe('Time of that block, unix seconds.')

const { ELECTOR } = exampleValues
const WALLET = exampleValues.OTHER_BOUNCEABLE
const CODE =
  'te6cckEBAQEAcQAA3v8AIN0gggFMl7ohggEznLqxn3Gw7UTQ0x/THzHXC//jBOCk8mCDCNcYINMf0x/TH/gjE7vyY+1E0NMf0x/T/9FRMrryoVFE' +
  'uvKiBPkBVBBV+RDyo/gAkyDXSpbTB9QC+wDo0QGkyMsfyx/L/8ntVBC9ba0='

export const accountsV2 = {
  getAddressInformation: method({
    summary: 'Balance, status, code, data and last transaction of an account.',
    description:
      'For the balance or status only use getAddressBalance or getAddressState; for many accounts at once v3.accountStates.',
    group,
    params: account,
    result: z
      .object({
        '@type': z.literal('raw.fullAccountState'),
        balance,
        extra_currencies,
        last_transaction_id,
        block_id,
        code: CellText.describe('Code of the contract, base64 BoC; empty when absent.'),
        data: CellText.describe('Data of the contract, base64 BoC; empty when absent.'),
        frozen_hash: MaybeHash.describe('Hash of the state of a frozen account, base64; else empty.'),
        sync_utime,
        state: Status.describe('`uninitialized` when the account has no code or does not exist.'),
        suspended: z.boolean().describe('Whether the configuration forbids to activate the account for now.'),
      })
      .meta({ id: 'AddressInformation', description: 'State of an account.' }),
    rest: readsV2('getAddressInformation'),
    freshness: 'block',
    example: {
      params: { address: ELECTOR },
      result: {
        '@type': 'raw.fullAccountState',
        balance: '1592537933889674',
        extra_currencies: [{ '@type': 'extraCurrency', id: 239, amount: '664333333334' }],
        last_transaction_id: transactionIdExample,
        block_id: blockIdExample,
        code: CODE,
        data: exampleValues.CELL,
        frozen_hash: '',
        sync_utime: 1755516049,
        state: 'active',
        suspended: false,
      },
    },
  }),

  getExtendedAddressInformation: method({
    summary: 'State of an account, with the data of a known contract (old wallets, DNS, payment channels) decoded.',
    description: 'For tokens use getTokenData, for current wallets getWalletInformation: it recognizes all versions.',
    group,
    params: z.strictObject({
      address: PackableAddress.describe('The account, in raw or friendly form.'),
      seqno: MasterSeqno,
    }),
    result: z
      .object({
        '@type': z.literal('fullAccountState'),
        address: AccountAddress.describe('The account, with the flags of the address that was given.'),
        balance,
        extra_currencies,
        last_transaction_id,
        block_id,
        sync_utime,
        account_state: ExtendedAccountState.describe(
          'Decoded data of a known contract, else code and data as they are.',
        ),
        revision: z.int().describe('Revision of the code of a known contract, -1 for a test version; 0 when unknown.'),
      })
      .meta({ id: 'ExtendedAddressInformation', description: 'State of an account with its data decoded.' }),
    rest: readsV2('getExtendedAddressInformation'),
    freshness: 'block',
    example: {
      params: { address: WALLET },
      result: {
        '@type': 'fullAccountState',
        address: { '@type': 'accountAddress', account_address: WALLET },
        balance: '1592537933889674',
        extra_currencies: [],
        last_transaction_id: transactionIdExample,
        block_id: blockIdExample,
        sync_utime: 1755516049,
        account_state: { '@type': 'wallet.v3.accountState', wallet_id: 698983191, seqno: 343 },
        revision: 2,
      },
    },
  }),

  getWalletInformation: method({
    summary: 'Whether an account is a wallet, its version and next seqno.',
    description:
      'Recognizes wallets by their code without running them. For many accounts at once use v3.walletStates.',
    group,
    params: account,
    result: z
      .object({
        '@type': z.literal('ext.accounts.walletInformation'),
        wallet: z.boolean().describe('Whether the code is that of a known wallet.'),
        balance,
        account_state: Status.describe('`uninitialized` when the account has no code or does not exist.'),
        last_transaction_id,
        wallet_type: WalletType.optional().describe('Wallet version; absent for other contracts.'),
        seqno: z.int().optional().describe('Number the next message must have; absent when it is no wallet.'),
        wallet_id: z.int().optional().describe('Wallet id as a signed 32-bit number; absent for wallets without.'),
        is_signature_allowed: z
          .boolean()
          .optional()
          .describe('Whether signed messages are accepted; only for wallet v5.'),
      })
      .meta({ id: 'WalletInformation', description: 'A wallet, or an account that is not one.' }),
    rest: readsV2('getWalletInformation'),
    freshness: 'block',
    example: {
      params: { address: WALLET },
      result: {
        '@type': 'ext.accounts.walletInformation',
        wallet: true,
        balance: '20000000',
        account_state: 'active',
        last_transaction_id: transactionIdExample,
        wallet_type: 'wallet v5 r1',
        seqno: 17,
        wallet_id: 2147483409,
        is_signature_allowed: true,
      },
    },
  }),

  getAddressBalance: method({
    summary: 'Balance of an account in nanotons; "0" when it does not exist.',
    description: 'For the state around it use getAddressInformation, for many accounts at once v3.accountStates.',
    group,
    params: account,
    result: balance,
    rest: readsV2('getAddressBalance'),
    freshness: 'block',
    example: { params: { address: ELECTOR }, result: '0' },
  }),

  getAddressState: method({
    summary: 'Status of an account: active, frozen or uninitialized.',
    description: 'An account that does not exist is `uninitialized`.',
    group,
    params: account,
    result: Status,
    rest: readsV2('getAddressState'),
    freshness: 'block',
    example: { params: { address: ELECTOR }, result: 'active' },
  }),

  getShardAccountCell: method({
    summary: 'The ShardAccount cell of an account, as stored in the state of its shard.',
    description: 'For emulators and tools that parse cells; getAddressInformation has the same parsed.',
    group,
    params: account,
    result: TvmCell,
    rest: readsV2('getShardAccountCell'),
    freshness: 'block',
    example: {
      params: { address: ELECTOR },
      result: { '@type': 'tvm.cell', bytes: exampleValues.CELL },
    },
  }),
}
