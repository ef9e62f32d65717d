// Wallets as v3 writes them: what they are is read off the stored code hash and data.

import { toHex } from '../../../../shared/hex.ts'
import { type Cell, CellError, readBoc } from '../../../cell/index.ts'
import type { AccountFound } from '../../../store/index.ts'
import { type Wallet, walletOf } from '../wallet.ts'

/** What is stored was a cell once; one that is too deep to be read is as good as none. */
function dataCell(boc: Uint8Array | null): Cell | null {
  if (boc === null) return null
  try {
    return readBoc(boc, { maxDepth: 1024 })
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

/** v3 writes the numbers of a wallet without a sign. */
export function unsigned({ wallet_type, seqno, wallet_id, is_signature_allowed }: Wallet): Wallet {
  return {
    wallet_type,
    ...(seqno === undefined ? {} : { seqno: seqno >>> 0 }),
    ...(wallet_id === undefined ? {} : { wallet_id: wallet_id >>> 0 }),
    ...(is_signature_allowed === undefined ? {} : { is_signature_allowed }),
  }
}

/** Null for what is no wallet. */
export function storedWallet({ codeHash, data }: Pick<AccountFound, 'codeHash' | 'data'>): Wallet | null {
  const wallet = codeHash === null ? null : walletOf(toHex(codeHash), dataCell(data))
  return wallet === null ? null : unsigned(wallet)
}
