// Wallets and the fields of their data.

import { toDigits } from '../../../shared/primitives.ts'
import type { Result } from '../../../shared/registry.ts'
import type { accountsV2 } from '../../../shared/v2/accounts.ts'
import type { Cell } from '../../cell/index.ts'
import { type WalletKind, walletDataOf, walletKindOf } from '../../interfaces/index.ts'
import type { AccountAt } from '../../node/index.ts'
import { balanceText, contractPartsOf, toLastTransaction } from './account.ts'

type WalletFields = Pick<Result<typeof accountsV2.getWalletInformation>, 'seqno' | 'wallet_id' | 'is_signature_allowed'>

/** Numbers are signed on the wire, and absent when the data is not that of a wallet. */
function walletFields(kind: WalletKind, data: Cell | null): WalletFields {
  const found = data === null ? null : walletDataOf(kind, data)
  if (found === null) return {}
  const { seqno, walletId, isSignatureAllowed } = found
  return {
    seqno: seqno | 0,
    ...(walletId === null ? {} : { wallet_id: walletId | 0 }),
    ...(isSignatureAllowed === null ? {} : { is_signature_allowed: isSignatureAllowed }),
  }
}

export function toWalletInformation({
  account,
  shardAccount,
}: Pick<AccountAt, 'account' | 'shardAccount'>): Result<typeof accountsV2.getWalletInformation> {
  const { status, code, data } = contractPartsOf(account)
  const kind = code === null ? null : walletKindOf(code.hash())
  const head = {
    '@type': 'ext.accounts.walletInformation' as const,
    wallet: kind !== null,
    balance: toDigits(balanceText(account).grams),
    account_state: status,
    last_transaction_id: toLastTransaction(shardAccount),
  }
  return kind === null ? head : { wallet_type: kind.type, ...head, ...walletFields(kind, data) }
}
