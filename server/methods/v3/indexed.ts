// Every method of v3, gathered.

import type { indexed } from '../../../shared/v3/indexed.ts'
import type { AccountReader } from '../../node/index.ts'
import { factRows, type NewestTransactions } from '../../store/index.ts'
import { AbiBook } from '../abi/abiBook.ts'
import { abiHandlers } from '../abi/abis.ts'
import type { WritingHandlers } from '../call.ts'
import { PendingActions } from '../pending/pendingActions.ts'
import type { PendingTraces } from '../pending/pendingTraces.ts'
import type { MessageWaits } from '../waiting/waiting.ts'
import { accountListHandlers } from './accounts.ts'
import { actionHandlers } from './actions/actions.ts'
import { pendingActionHandlers } from './actions/pending.ts'
import { assetHandlers } from './assets/assets.ts'
import { balanceChangeHandlers } from './balanceChanges.ts'
import { balanceHistoryHandlers } from './balanceHistory.ts'
import { indexedBlockHandlers, type KnownIndex } from './blocks.ts'
import { decodeHandlers } from './decode.ts'
import { emulationHandlers } from './emulation.ts'
import { type LegacyNeeds, legacyHandlers } from './legacy.ts'
import { indexedMessageHandlers } from './messages.ts'
import { createSideObjects } from './names/sideObjects.ts'
import { pendingHandlers } from './pending.ts'
import { searchHandlers } from './search/search.ts'
import { sendAndWaitHandlers } from './sendAndWait.ts'
import { stakingHandlers } from './staking/staking.ts'
import { statisticsHandlers } from './statistics.ts'
import { TracesPage, traceHandlers } from './traces.ts'
import { indexedTransactionHandlers } from './transactions.ts'
import { WrittenTransactions } from './written/writtenTransactions.ts'

export interface IndexedNeeds extends LegacyNeeds {
  /** Friendly forms of addresses are marked for test networks. */
  readonly testOnly: boolean
  readonly pending: PendingTraces
  /** Names and descriptions of contracts that were given; none by default. */
  readonly abis?: AbiBook | undefined
  readonly waiting: MessageWaits
  /** What this process has written last into the store, when it is known. */
  readonly newest?: NewestTransactions | undefined
  readonly index?: KnownIndex | undefined
  readonly followMs?: number | undefined
}

export interface StoredNeeds extends Pick<IndexedNeeds, 'store' | 'testOnly' | 'newest'> {
  /** Null in a process without a chain. */
  readonly chain: AccountReader | null
  /** How far this process knows the index to be; absent in a worker, whose caches the owner clears. */
  readonly index?: KnownIndex | undefined
}

/** What several groups of methods write their results with. */
function writersOf(needs: StoredNeeds) {
  const { store, newest } = needs
  const side = createSideObjects(needs)
  const transactions = new WrittenTransactions(store, { newest })
  return { side, transactions, page: new TracesPage(store, side, transactions) }
}

/** Methods that read the index, and nothing of the chain but states of earlier blocks. */
export function storedHandlers(needs: StoredNeeds, { side, transactions, page } = writersOf(needs)) {
  const { store } = needs
  return {
    ...accountListHandlers(needs, side),
    ...balanceHistoryHandlers(store),
    ...indexedBlockHandlers(store, needs.index),
    ...statisticsHandlers(store),
    ...indexedTransactionHandlers(store, side, transactions),
    ...indexedMessageHandlers(store, side),
    ...traceHandlers(page),
    ...balanceChangeHandlers(store),
    ...assetHandlers(store, side),
    ...stakingHandlers(store, side),
    ...actionHandlers(store, side),
    ...decodeHandlers,
    ...searchHandlers(needs, side),
  }
}

export function indexedHandlers(needs: IndexedNeeds): WritingHandlers<typeof indexed> {
  const writers = writersOf(needs)
  const { side, page } = writers
  const actions = new PendingActions(factRows(needs.store))
  const pending = { traces: needs.pending, actions, side }
  return {
    ...storedHandlers(needs, writers),
    ...pendingHandlers(pending),
    ...pendingActionHandlers(pending),
    ...sendAndWaitHandlers({ waiting: needs.waiting, pending, page }),
    ...emulationHandlers({ ...needs, actions, side }),
    ...legacyHandlers(needs),
    ...abiHandlers(needs.abis ?? new AbiBook(), needs.store),
  }
}
