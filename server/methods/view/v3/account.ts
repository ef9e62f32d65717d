// Accounts as v3 writes them.

import { toBase64 } from '../../../../shared/base64.ts'
import { toDigits } from '../../../../shared/primitives.ts'
import type { Result } from '../../../../shared/registry.ts'
import type { accountsV3 } from '../../../../shared/v3/accounts.ts'
import type { AccountFound, ExtraCurrencies } from '../../../store/index.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { storedWallet } from './wallet.ts'

type State = Result<(typeof accountsV3)['v3.accountStates']>['accounts'][number]
type WalletState = Result<(typeof accountsV3)['v3.walletStates']>['wallets'][number]

// The cast: amounts are digits in the store already.
export const toCurrencies = (extra: ExtraCurrencies) => extra as NonNullable<WalletState['extra_currencies']>

/** One field, left out without a value. */
const maybe = <K extends string>(name: K, bytes: Uint8Array | null) =>
  (bytes === null ? {} : { [name]: toBase64(bytes) }) as { [N in K]?: string }

export const toAccountState = (found: AccountFound): State => ({
  address: rawOfKey(found.account),
  account_state_hash: toBase64(found.hash),
  balance: toDigits(found.balance),
  extra_currencies: toCurrencies(found.extra),
  status: found.status,
  last_transaction_hash: toBase64(found.lastTxHash),
  last_transaction_lt: toDigits(found.lastTxLt),
  // Stored with a sign.
  contract_methods: found.methods?.map((id) => id >>> 0).sort((a, b) => a - b) ?? null,
  interfaces: [...found.interfaces],
  ...maybe('frozen_hash', found.frozenHash),
  ...maybe('data_hash', found.dataHash),
  ...maybe('code_hash', found.codeHash),
  ...maybe('data_boc', found.data),
  ...maybe('code_boc', found.code),
})

export function toWalletState(found: AccountFound): WalletState {
  const wallet = storedWallet(found)
  const extra = Object.keys(found.extra).length === 0 ? {} : { extra_currencies: toCurrencies(found.extra) }
  return {
    address: rawOfKey(found.account),
    is_wallet: wallet !== null,
    balance: toDigits(found.balance),
    status: found.status,
    last_transaction_hash: toBase64(found.lastTxHash),
    last_transaction_lt: toDigits(found.lastTxLt),
    ...wallet,
    ...extra,
    ...maybe('code_hash', found.codeHash),
  }
}
