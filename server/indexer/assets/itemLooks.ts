// Accounts that are items after a step, or may have been before it.

import { nft } from '../../bodies/index.ts'
import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import { isAborted, type TransactionFacts } from '../../facts/index.ts'
import type { AccountKey, ItemLook } from '../../store/index.ts'
import type { ChainStep } from '../chain/chainStep.ts'
import type { DetectedAssets, StepContracts } from './detectAssets.ts'

const byLt = (a: TransactionFacts, b: TransactionFacts): number => (a.lt < b.lt ? -1 : 1)

/** Transactions, or accounts, after which others may be served. */
const PIECE = 100

/** In the order of steps. An account that a caller has set, without a transaction in the step, is what it was before the next look. */
export function* makingItemLooks(
  { master, shards }: ChainStep,
  { looked, checked }: StepContracts,
): Generator<void, ItemLook[]> {
  const wanted = new Map(checked.map((account) => [hashFromBytes(account), account]))
  for (const [key, { nftItems }] of looked) if (nftItems !== undefined) wanted.set(key, nftItems.account)
  if (wanted.size === 0) return []
  const own = new Map<BinaryHash, TransactionFacts[]>()
  for (const { facts } of [master, ...shards])
    for (const [i, one] of facts.transactions.entries()) {
      if (i % PIECE === 0) yield
      const key = hashFromBytes(one.account)
      const known = own.get(key)
      if (known !== undefined) known.push(one)
      else if (wanted.has(key)) own.set(key, [one])
    }
  const looks: ItemLook[] = []
  for (const [key, account] of wanted) {
    if (looks.length % PIECE === 0) yield
    const look = itemLook(account, own.get(key)?.sort(byLt) ?? [], looked.get(key)?.nftItems)
    looks.push({ ...look, mcSeqno: master.id.seqno })
  }
  return looks
}

/** The transaction that gets the change of owner. If it were one after the transfer, of another trace, both traces would count it. */
function lastChange(transactions: readonly TransactionFacts[]): TransactionFacts | undefined {
  const done = transactions.filter(({ description }) => !isAborted(description))
  const transfer = done.findLast(({ inMessage }) => inMessage?.opcode === nft.transfer.opcode)
  return transfer ?? done.at(-1) ?? transactions.at(-1)
}

function itemLook(
  account: AccountKey,
  transactions: readonly TransactionFacts[],
  item: DetectedAssets['nftItems'],
): Omit<ItemLook, 'mcSeqno'> {
  const first = transactions[0]
  const isNew = first !== undefined && first.origStatus !== 'active'
  const isAlone = transactions.length === 1
  const txHash = lastChange(transactions)?.hash ?? null
  const { owner = null, collection = null } = item ?? {}
  return { account, owner, collection, isItem: item !== undefined, isNew, txHash, isAlone }
}
