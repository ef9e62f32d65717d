// What the signed body of a message to a wallet fixes: its place in the order of messages, and how long it holds.

import { type Cell, openCell, orNull, type Slice } from '../cell/index.ts'
import type { WalletKind } from './walletKinds.ts'

export interface WalletOrder {
  readonly seqno: number
  /** Unix seconds from which on the wallet refuses it; null where a kind of wallet has no such time. */
  readonly validUntil: number | null
}

const SIGNATURE_BITS = 512
const WALLET_ID_BITS = 32
/** What the body of a signed request to a wallet v5 begins with. */
export const SIGNED_V5 = 0x7369676e

function ofV5(body: Slice): WalletOrder | null {
  if (body.loadUint(32) !== SIGNED_V5) return null
  const validUntil = body.skip(WALLET_ID_BITS).loadUint(32)
  return { seqno: body.loadUint(32), validUntil }
}

function ofOlder(body: Slice, kind: string): WalletOrder {
  const rest = body.skip(SIGNATURE_BITS)
  if (kind.startsWith('wallet_v1')) return { seqno: rest.loadUint(32), validUntil: null }
  if (kind.startsWith('wallet_v2')) {
    const seqno = rest.loadUint(32)
    return { seqno, validUntil: rest.loadUint(32) }
  }
  const validUntil = rest.skip(WALLET_ID_BITS).loadUint(32)
  return { seqno: rest.loadUint(32), validUntil }
}

/** Null for a body of another shape, and for wallets whose bodies are not known here. */
export function walletOrderOf({ interfaceName }: WalletKind, body: Cell): WalletOrder | null {
  if (interfaceName === 'wallet_v5_beta') return null
  return orNull(() => {
    const slice = openCell(body)
    return interfaceName === 'wallet_v5r1' ? ofV5(slice) : ofOlder(slice, interfaceName)
  })
}
