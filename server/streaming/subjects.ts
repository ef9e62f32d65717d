// What a block is about: traces, accounts and blocks, in the order in which they are reported.

import { toHex } from '../../shared/hex.ts'
import { goingThrough } from '../fairness/index.ts'
import type { Finality } from '../methods/index.ts'
import { rawOfKey, toStateInTransaction } from '../methods/index.ts'
import type { BlockRows, JettonWalletRow, NftOwnersRow, TransactionFound } from '../store/index.ts'
import type { AccountChange, BlockChange } from './notifications/notification.ts'

/** By the accounts of a block. */
interface OfAccounts {
  /** In their order. */
  readonly last: ReadonlyMap<string, TransactionFound>
  readonly wallets: ReadonlyMap<string, JettonWalletRow>
  readonly nfts: ReadonlyMap<string, NftOwnersRow>
}

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0)

/** The last transactions of the accounts of a block, of which there may be ten thousand, and their wallets and items. */
export function* findingAccounts(
  { transactions, jettonWallets }: Pick<BlockRows, 'transactions' | 'jettonWallets'>,
  itemOwners: readonly NftOwnersRow[] = [],
): Generator<void, OfAccounts> {
  const last = new Map<string, TransactionFound>()
  const nfts = new Map<string, NftOwnersRow>()
  const moved = new Map<string, NftOwnersRow>()
  yield* goingThrough(itemOwners, (one) => moved.set(toHex(one.txHash), one))
  yield* goingThrough(transactions, (one) => {
    const raw = rawOfKey(one.row.account)
    last.delete(raw)
    last.set(raw, one)
    // Of several moves in a block: the owner before the first one and after the last.
    const move = moved.size > 0 ? moved.get(toHex(one.row.hash)) : undefined
    if (move !== undefined) nfts.set(raw, { ...move, oldOwner: (nfts.get(raw) ?? move).oldOwner })
  })
  for (const [raw, { oldOwner, newOwner }] of nfts) if (isSame(oldOwner, newOwner)) nfts.delete(raw)
  const wallets = new Map<string, JettonWalletRow>()
  yield* goingThrough(jettonWallets, (wallet) => wallets.set(rawOfKey(wallet.account), wallet))
  return { last, wallets, nfts }
}

/**
 * Accounts at the end of a block, in the order of their last transactions; those set by hand come last. Each is made when it is
 * taken: of a block with ten thousand, all states at once take a hundred milliseconds.
 */
export function* accountsInTrace(
  rows: Pick<BlockRows, 'changed'>,
  { last, wallets, nfts }: OfAccounts,
  finality: Finality,
): Generator<AccountChange> {
  for (const [raw, found] of last)
    yield {
      account: found.row.account,
      raw,
      finality,
      state: toStateInTransaction(found.row.stateAfter, found.after),
      last: found,
      wallet: wallets.get(raw) ?? null,
      nft: nfts.get(raw) ?? null,
    }
  for (const account of rows.changed)
    yield {
      account: account.account,
      raw: rawOfKey(account.account),
      finality,
      state: toStateInTransaction(account.hash, account),
      last: null,
      wallet: null,
      nft: null,
    }
}

export const blocksOf = ({ blocks }: BlockRows, finality: Finality): BlockChange[] =>
  [...blocks]
    .sort((a, b) => a.workchain - b.workchain || Number(a.shard - b.shard) || a.seqno - b.seqno)
    .map((block) => ({ block, finality }))
