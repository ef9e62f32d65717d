// Nominator pools of any code: what a pool answers must be what it stores.

import { numberOfBytes } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import type { PoolData } from '../../tlb/index.ts'
import type { Contracts } from '../contracts.ts'
import { intAt, type Results } from '../stack/results.ts'
import { listItems, type StackValue } from '../stack/stackValue.ts'

const bytesOf = (hash: string): Uint8Array => Buffer.from(hash, 'latin1')

/** Places of numbers in the answer of `get_pool_data`, whose other places hold dictionaries. */
function answersData(stack: Results, data: PoolData): boolean {
  const { terms } = data
  const expected = [
    [0, BigInt(data.state)],
    [1, BigInt(data.nominatorsCount)],
    [2, data.stakeAmountSent],
    [3, data.validatorAmount],
    [4, numberOfBytes(terms.validator)],
    [5, BigInt(terms.validatorShare)],
    [6, BigInt(terms.maxNominators)],
    [7, terms.minValidatorStake],
    [8, terms.minNominatorStake],
    [11, BigInt(data.stakeAt)],
    [13, BigInt(data.validatorSetChanges)],
    [15, BigInt(data.stakeHeldFor)],
  ] as const
  return expected.every(([place, value]) => intAt(stack, place) === value)
}

function entryOf(item: StackValue): readonly [bigint, string] | null {
  if (item.kind !== 'tuple') return null
  const [id, amount, pending, requested] = [0, 1, 2, 3].map((place) => intAt(item.items, place))
  return id === undefined ? null : [id, `${amount} ${pending} ${requested}`]
}

function answersNominators([list]: Results, { nominators, withdrawRequests }: PoolData): boolean {
  const items = list === undefined ? null : listItems(list)
  if (items === null || items.length !== nominators.size) return false
  const answered = new Map(items.flatMap((item) => [entryOf(item)].filter((entry) => entry !== null)))
  return [...nominators].every(
    ([id, { amount, pending }]) =>
      answered.get(numberOfBytes(bytesOf(id))) === `${amount} ${pending} ${withdrawRequests.has(id) ? -1 : 0}`,
  )
}

/** Whether the get-methods of a contract with this storage are those of a pool. Rejects as Contracts do. */
export async function answersAsPool(contracts: Contracts, id: AccountId, data: PoolData): Promise<boolean> {
  const stack = await contracts.resultsIfAny(id, 'get_pool_data')
  if (stack === null || !answersData(stack, data)) return false
  const list = await contracts.resultsIfAny(id, 'list_nominators')
  return list !== null && answersNominators(list, data)
}
