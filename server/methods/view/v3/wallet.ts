// Wallets as v3 writes them: what they are is read off the stored code hash and data.

import type { WalletType } from '../../../../shared/walletType.ts'
import { type Cell, hashFromBytes, MAX_DEPTH, orNull, readBoc } from '../../../cell/index.ts'
import { walletDataOf, walletKindOf } from '../../../interfaces/index.ts'
import type { AccountFound } from '../../../store/index.ts'

/** Numbers are unsigned here, and absent when the data is not that of a wallet. */
export interface Wallet {
  readonly wallet_type: WalletType
  readonly seqno?: number
  readonly wallet_id?: number
  readonly is_signature_allowed?: boolean
}

/** What is stored was a cell once; one that is too deep to be read is as good as none. */
const dataCell = (boc: Uint8Array | null): Cell | null =>
  boc === null ? null : orNull(() => readBoc(boc, { maxDepth: MAX_DEPTH }))

/** Null for what is no wallet. */
export function storedWallet({ codeHash, data }: Pick<AccountFound, 'codeHash' | 'data'>): Wallet | null {
  const kind = codeHash === null ? null : walletKindOf(hashFromBytes(codeHash))
  if (kind === null) return null
  const cell = dataCell(data)
  const known = cell && walletDataOf(kind, cell)
  if (known === null) return { wallet_type: kind.type }
  const { seqno, walletId, isSignatureAllowed } = known
  return {
    wallet_type: kind.type,
    seqno,
    ...(walletId === null ? {} : { wallet_id: walletId }),
    ...(isSignatureAllowed === null ? {} : { is_signature_allowed: isSignatureAllowed }),
  }
}
