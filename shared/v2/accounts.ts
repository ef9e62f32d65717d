import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Address, Digits, PackableAddress } from '../primitives.ts'
import { ExtendedAccountState } from './accountState.ts'
import {
  AccountAddress,
  BlockIdExt,
  CellText,
  ExtraCurrency,
  MasterSeqno,
  MaybeHash,
  TransactionId,
  TvmCell,
} from './tonlib.ts'

const group = 'accounts'

const account = z.strictObject({ address: Address, seqno: MasterSeqno })

const Status = z.enum(['uninitialized', 'active', 'frozen']).meta({ id: 'AccountStatus' })

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'
const WALLET = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const CODE =
  'te6cckEBAQEAcQAA3v8AIN0gggFMl7ohggEznLqxn3Gw7UTQ0x/THzHXC//jBOCk8mCDCNcYINMf0x/TH/gjE7vyY+1E0NMf0x/T/9FRMrryoVFE' +
  'uvKiBPkBVBBV+RDyo/gAkyDXSpbTB9QC+wDo0QGkyMsfyx/L/8ntVBC9ba0='

const transaction = {
  '@type': 'internal.transactionId' as const,
  lt: '47670702000009' as const,
  hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
}
const block = {
  '@type': 'ton.blockIdExt' as const,
  workchain: -1,
  shard: '-9223372036854775808' as const,
  seqno: 48213377,
  root_hash: '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c=',
  file_hash: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
}

export const accounts = {
  getAddressInformation: method({
    summary: 'Balance, status, code, data and last transaction of an account.',
    group,
    params: account,
    result: z
      .object({
        '@type': z.literal('raw.fullAccountState'),
        balance: Digits,
        extra_currencies: z.array(ExtraCurrency),
        last_transaction_id: TransactionId,
        block_id: BlockIdExt,
        code: CellText,
        data: CellText,
        frozen_hash: MaybeHash,
        sync_utime: z.int(),
        state: Status,
        suspended: z.boolean(),
      })
      .meta({ id: 'AddressInformation' }),
    rest: readsV2('getAddressInformation'),
    freshness: 'block',
    example: {
      params: { address: ELECTOR },
      result: {
        '@type': 'raw.fullAccountState',
        balance: '1592537933889674',
        extra_currencies: [{ '@type': 'extraCurrency', id: 239, amount: '664333333334' }],
        last_transaction_id: transaction,
        block_id: block,
        code: CODE,
        data: 'te6cckEBAQEAAgAAAEysuc0=',
        frozen_hash: '',
        sync_utime: 1755516049,
        state: 'active',
        suspended: false,
      },
    },
  }),

  getExtendedAddressInformation: method({
    summary: 'An account with what its contract keeps, for wallets and other contracts known by their code.',
    group,
    params: z.strictObject({ address: PackableAddress, seqno: MasterSeqno }),
    result: z
      .object({
        '@type': z.literal('fullAccountState'),
        address: AccountAddress,
        balance: Digits,
        extra_currencies: z.array(ExtraCurrency),
        last_transaction_id: TransactionId,
        block_id: BlockIdExt,
        sync_utime: z.int(),
        account_state: ExtendedAccountState,
        revision: z.int(),
      })
      .meta({ id: 'ExtendedAddressInformation' }),
    rest: readsV2('getExtendedAddressInformation'),
    freshness: 'block',
    example: {
      params: { address: WALLET },
      result: {
        '@type': 'fullAccountState',
        address: { '@type': 'accountAddress', account_address: WALLET },
        balance: '1592537933889674',
        extra_currencies: [],
        last_transaction_id: transaction,
        block_id: block,
        sync_utime: 1755516049,
        account_state: { '@type': 'wallet.v3.accountState', wallet_id: 698983191, seqno: 343 },
        revision: 2,
      },
    },
  }),

  getWalletInformation: method({
    summary: 'Whether an account is a wallet, which one, and its next seqno.',
    group,
    params: account,
    result: z
      .object({
        '@type': z.literal('ext.accounts.walletInformation'),
        wallet: z.boolean(),
        balance: Digits,
        account_state: Status,
        last_transaction_id: TransactionId,
        wallet_type: z.string().optional(),
        seqno: z.int().optional(),
        wallet_id: z.int().optional(),
        is_signature_allowed: z.boolean().optional(),
      })
      .meta({ id: 'WalletInformation' }),
    rest: readsV2('getWalletInformation'),
    freshness: 'block',
    example: {
      params: { address: WALLET },
      result: {
        '@type': 'ext.accounts.walletInformation',
        wallet: true,
        balance: '20000000',
        account_state: 'active',
        last_transaction_id: transaction,
        wallet_type: 'wallet v5 r1',
        seqno: 17,
        wallet_id: 2147483409,
        is_signature_allowed: true,
      },
    },
  }),

  getAddressBalance: method({
    summary: 'The balance of an account in nanocoins; "0" for one that does not exist.',
    group,
    params: account,
    result: Digits,
    rest: readsV2('getAddressBalance'),
    freshness: 'block',
    example: { params: { address: ELECTOR }, result: '0' },
  }),

  getAddressState: method({
    summary: 'Whether an account is active, frozen or uninitialized, which is also said of one that does not exist.',
    group,
    params: account,
    result: Status,
    rest: readsV2('getAddressState'),
    freshness: 'block',
    example: { params: { address: ELECTOR }, result: 'active' },
  }),

  getShardAccountCell: method({
    summary: "An account with its last transaction as the cell that stands in its shard's state.",
    group,
    params: account,
    result: TvmCell,
    rest: readsV2('getShardAccountCell'),
    freshness: 'block',
    example: {
      params: { address: ELECTOR },
      result: { '@type': 'tvm.cell', bytes: 'te6cckEBAQEAAgAAAEysuc0=' },
    },
  }),
}
