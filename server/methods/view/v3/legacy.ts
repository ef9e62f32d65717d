// Accounts and wallets in the shapes v3 has them in from v2: out of the index, and out of an answer of v2.

import { toBase64 } from '../../../../shared/base64.ts'
import { ApiError } from '../../../../shared/errors.ts'
import { toDigits } from '../../../../shared/primitives.ts'
import type { Result } from '../../../../shared/registry.ts'
import type { accountsV2 } from '../../../../shared/v2/accounts.ts'
import type { legacyV3 } from '../../../../shared/v3/legacy.ts'
import type { AccountFound } from '../../../store/index.ts'
import { textOrNull } from '../account.ts'
import { base64OrNull } from './assets/fields.ts'
import { storedWallet } from './wallet.ts'

type Information = Result<(typeof legacyV3)['v3.addressInformation']>
type WalletInformation = Result<(typeof legacyV3)['v3.walletInformation']>

const NO_HASH = toBase64(new Uint8Array(32))

/** The answer for an account that never existed. */
const UNSEEN = { balance: '0', last_transaction_lt: '0', last_transaction_hash: NO_HASH, status: 'uninit' } as const

const headOf = (found: AccountFound) => ({
  balance: toDigits(found.balance),
  last_transaction_lt: toDigits(found.lastTxLt),
  last_transaction_hash: toBase64(found.lastTxHash),
  status: found.status,
})

export function toInformation(found: AccountFound | undefined): Information {
  if (found === undefined) return { code: null, data: null, frozen_hash: null, ...UNSEEN }
  const bags = { code: base64OrNull(found.code), data: base64OrNull(found.data) }
  return { frozen_hash: base64OrNull(found.frozenHash), ...headOf(found), ...bags }
}

export const toInformationOfV2 = (answer: Result<typeof accountsV2.getAddressInformation>): Information => ({
  balance: answer.balance,
  code: textOrNull(answer.code),
  data: textOrNull(answer.data),
  last_transaction_lt: answer.last_transaction_id.lt,
  last_transaction_hash: answer.last_transaction_id.hash,
  frozen_hash: textOrNull(answer.frozen_hash),
  status: answer.state,
})

const notAWallet = () => new ApiError('conflict', 'not a wallet')

/** Throws ApiError `conflict` for a contract that is no wallet, and for one that is gone or frozen. */
export function toStoredWalletInformation(found: AccountFound | undefined): WalletInformation {
  if (found === undefined) return UNSEEN
  const head = headOf(found)
  if (found.status === 'uninit') return head
  const wallet = storedWallet(found)
  if (wallet === null) throw notAWallet()
  const { is_signature_allowed: _, ...known } = wallet
  return { ...head, ...known }
}

/** The same of an answer of v2. */
export function toWalletInformationOfV2(answer: Result<typeof accountsV2.getWalletInformation>): WalletInformation {
  const head = {
    balance: answer.balance,
    last_transaction_lt: answer.last_transaction_id.lt,
    last_transaction_hash: answer.last_transaction_id.hash,
    status: answer.account_state,
  }
  const { wallet_type, seqno, wallet_id } = answer
  if (wallet_type === undefined) {
    if (answer.account_state === 'uninitialized') return head
    throw notAWallet()
  }
  // v2 writes them with a sign.
  const numbers = { seqno: seqno && seqno >>> 0, wallet_id: wallet_id && wallet_id >>> 0 }
  return { wallet_type, ...head, ...numbers }
}
