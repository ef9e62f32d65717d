// Accounts that are items after a step, or may have been before it.

import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { TransactionFacts } from '../../facts/index.ts'
import type { ItemLook } from '../../store/index.ts'
import type { ChainStep } from '../chain/chainStep.ts'
import type { StepContracts } from './detectAssets.ts'

const byLt = (a: TransactionFacts, b: TransactionFacts): number => (a.lt < b.lt ? -1 : 1)

/** An account without a transaction in the step, which a caller has set, has no look. */
export function itemLooks({ master, shards }: ChainStep, { looked, checked }: StepContracts): ItemLook[] {
  const wanted = new Set(checked.map(hashFromBytes))
  for (const [key, { nftItems }] of looked) if (nftItems !== undefined) wanted.add(key)
  if (wanted.size === 0) return []
  const own = new Map<BinaryHash, TransactionFacts[]>()
  for (const one of [master, ...shards].flatMap(({ facts }) => facts.transactions)) {
    const key = hashFromBytes(one.account)
    const known = own.get(key)
    if (known !== undefined) known.push(one)
    else if (wanted.has(key)) own.set(key, [one])
  }
  return [...wanted].flatMap((key) => {
    const transactions = own.get(key)?.sort(byLt) ?? []
    const [first, last] = [transactions[0], transactions.at(-1)]
    if (first === undefined || last === undefined) return []
    const item = looked.get(key)?.nftItems
    const { account, hash: txHash, lt: txLt } = last
    const isNew = first.origStatus !== 'active'
    const isAlone = transactions.length === 1
    return [{ account, owner: item?.owner ?? null, isItem: item !== undefined, isNew, txHash, txLt, isAlone }]
  })
}
