// The wallet a message is for, and what the signed message fixes: by this it is seen that the wallet will not take it.

import type { BinaryHash, Cell } from '../../cell/index.ts'
import { type WalletKind, type WalletOrder, walletDataOf, walletKindOf, walletOrderOf } from '../../interfaces/index.ts'
import type { Account } from '../../tlb/index.ts'
import { trialInitOf } from '../tvm/trialAccount.ts'
import type { AwaitedMessage } from './sentMessage.ts'

export interface SentWallet {
  readonly kind: WalletKind
  /** Null for a body of another shape. */
  readonly order: WalletOrder | null
  /** Seqno of the message it takes next; null for data of another shape. */
  readonly next: number | null
}

/** Null for other contracts. Without a code on chain, the wallet is the one that the message deploys. */
export function sentWalletOf(
  message: AwaitedMessage,
  codeHash: BinaryHash | null,
  data: Cell | null,
): SentWallet | null {
  const { body, init } = message
  const [hash, state] = codeHash === null ? [init?.code?.hash(), init?.data] : [codeHash, data]
  const kind = hash === undefined ? null : walletKindOf(hash)
  if (kind === null || state == null) return null
  return { kind, order: walletOrderOf(kind, body), next: walletDataOf(kind, state)?.seqno ?? null }
}

/** The same by the account the message is for, which need not exist. */
export function sentWalletIn(message: AwaitedMessage, account: Account | null): SentWallet | null {
  const init = trialInitOf(account)
  return sentWalletOf(message, init?.code?.hash() ?? null, init?.data ?? null)
}

/** Whether another message has taken its seqno, once no block has the message itself. */
export const isOvertaken = ({ order, next }: SentWallet): boolean =>
  order !== null && next !== null && next > order.seqno
