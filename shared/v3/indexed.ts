// All methods of v3: they read the index or, for those taken over from v2, the node.

import { abis } from './abis.ts'
import { accounts } from './accounts.ts'
import { actions } from './actions.ts'
import { assetGroups, assets } from './assets/assets.ts'
import { balanceChanges } from './balanceChanges.ts'
import { balanceHistory } from './balanceHistory.ts'
import { blocks } from './blocks.ts'
import { decode } from './decode.ts'
import { emulation } from './emulation.ts'
import { legacy } from './legacy.ts'
import { messages } from './messages.ts'
import { pending } from './pending.ts'
import { search } from './search.ts'
import { sendAndWait } from './sendAndWait.ts'
import { stakingGroups, stakingMethods } from './staking/staking.ts'
import { statistics } from './statistics.ts'
import { traces } from './traces.ts'
import { transactions } from './transactions.ts'

export const indexedGroups = [
  accounts,
  balanceHistory,
  blocks,
  statistics,
  transactions,
  messages,
  traces,
  balanceChanges,
  actions,
  pending,
  sendAndWait,
  emulation,
  decode,
  search,
  abis,
  legacy,
  ...assetGroups,
  ...stakingGroups,
] as const

export const indexed = {
  ...accounts,
  ...balanceHistory,
  ...blocks,
  ...statistics,
  ...transactions,
  ...messages,
  ...traces,
  ...balanceChanges,
  ...actions,
  ...pending,
  ...sendAndWait,
  ...emulation,
  ...decode,
  ...search,
  ...abis,
  ...legacy,
  ...assets,
  ...stakingMethods,
}
