// All methods of v3: they read the index or, for those taken over from v2, the node.

import { abisV3 } from './abis.ts'
import { accountsV3 } from './accounts.ts'
import { actionsV3 } from './actions.ts'
import { assetGroups, assets } from './assets/assets.ts'
import { balanceChangesV3 } from './balanceChanges.ts'
import { balanceHistoryV3 } from './balanceHistory.ts'
import { blocksV3 } from './blocks.ts'
import { decodeV3 } from './decode.ts'
import { emulationV3 } from './emulation.ts'
import { legacyV3 } from './legacy.ts'
import { messagesV3 } from './messages.ts'
import { pendingV3 } from './pending.ts'
import { searchV3 } from './search.ts'
import { sendAndWaitV3 } from './sendAndWait.ts'
import { stakingGroups, stakingMethods } from './staking/staking.ts'
import { statisticsV3 } from './statistics.ts'
import { tracesV3 } from './traces.ts'
import { transactionsV3 } from './transactions.ts'

export const indexedGroups = [
  accountsV3,
  balanceHistoryV3,
  blocksV3,
  statisticsV3,
  transactionsV3,
  messagesV3,
  tracesV3,
  balanceChangesV3,
  actionsV3,
  pendingV3,
  sendAndWaitV3,
  emulationV3,
  decodeV3,
  searchV3,
  abisV3,
  legacyV3,
  ...assetGroups,
  ...stakingGroups,
] as const

export const indexed = {
  ...accountsV3,
  ...balanceHistoryV3,
  ...blocksV3,
  ...statisticsV3,
  ...transactionsV3,
  ...messagesV3,
  ...tracesV3,
  ...balanceChangesV3,
  ...actionsV3,
  ...pendingV3,
  ...sendAndWaitV3,
  ...emulationV3,
  ...decodeV3,
  ...searchV3,
  ...abisV3,
  ...legacyV3,
  ...assets,
  ...stakingMethods,
}
