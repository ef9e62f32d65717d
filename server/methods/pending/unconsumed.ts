// Messages of a trace that no transaction has received yet, as the cells that are delivered.

import { type Cell, hashFromBytes } from '../../cell/index.ts'
import type { Chain } from '../../node/index.ts'
import type { TransactionFound } from '../../store/index.ts'
import { pagesFrom } from '../historyPages.ts'
import { addressOfKey } from '../keyOfAccount.ts'

/** Transactions with those of their messages that none of them received. */
export function unconsumed(found: readonly TransactionFound[]): readonly TransactionFound[] {
  const taken = new Set(found.map(({ row }) => row.inMsgHash && hashFromBytes(row.inMsgHash)))
  return found
    .map((one) => ({
      ...one,
      outMessages: one.outMessages.filter(
        ({ hash, destination }) => destination !== null && !taken.has(hashFromBytes(hash)),
      ),
    }))
    .filter(({ outMessages }) => outMessages.length > 0)
}

/** The cells of messages, out of the transactions that sent them. */
export async function cellsOf(
  chain: Pick<Chain, 'transactions'>,
  senders: readonly TransactionFound[],
  signal: AbortSignal,
): Promise<readonly Cell[]> {
  const cells: Cell[] = []
  for (const { row, outMessages } of senders) {
    const wanted = new Set(outMessages.map(({ hash }) => hashFromBytes(hash)))
    const pages = pagesFrom(chain, addressOfKey(row.account), { lt: row.lt, hash: row.hash }, 1, { signal })
    for await (const [found] of pages)
      for (const [, cell] of found?.transaction.outMessages ?? []) if (wanted.has(cell.hash())) cells.push(cell)
  }
  return cells
}
