// Accounts that are items after a step, or may have been before it.

import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { TransactionFacts } from '../../facts/index.ts'
import type { ItemLook } from '../../store/index.ts'
import type { ChainStep } from '../chain/chainStep.ts'
import type { StepContracts } from './detectAssets.ts'

const byLt = (a: TransactionFacts, b: TransactionFacts): number => (a.lt < b.lt ? -1 : 1)

/** In the order of steps. An account that a caller has set, without a transaction in the step, is what it was before the next look. */
export function itemLooks({ master, shards }: ChainStep, { looked, checked }: StepContracts): ItemLook[] {
  const wanted = new Map(checked.map((account) => [hashFromBytes(account), account]))
  for (const [key, { nftItems }] of looked) if (nftItems !== undefined) wanted.set(key, nftItems.account)
  if (wanted.size === 0) return []
  const own = new Map<BinaryHash, TransactionFacts[]>()
  for (const one of [master, ...shards].flatMap(({ facts }) => facts.transactions)) {
    const key = hashFromBytes(one.account)
    const known = own.get(key)
    if (known !== undefined) known.push(one)
    else if (wanted.has(key)) own.set(key, [one])
  }
  return [...wanted].map(([key, account]) => {
    const transactions = own.get(key)?.sort(byLt) ?? []
    const first = transactions[0]
    const last = transactions.at(-1)
    const item = looked.get(key)?.nftItems
    const isNew = first !== undefined && first.origStatus !== 'active'
    const isAlone = transactions.length === 1
    const txHash = last?.hash ?? null
    return { account, owner: item?.owner ?? null, isItem: item !== undefined, isNew, txHash, isAlone }
  })
}
