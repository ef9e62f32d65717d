// Every method of v3, gathered.

import type { indexed } from '../../../shared/v3/indexed.ts'
import type { WritingHandlers } from '../call.ts'
import { PendingActions } from '../pending/pendingActions.ts'
import type { PendingTraces } from '../pending/pendingTraces.ts'
import { accountListHandlers } from './accounts.ts'
import { actionHandlers } from './actions/actions.ts'
import { pendingActionHandlers } from './actions/pending.ts'
import { assetHandlers } from './assets/assets.ts'
import { indexedBlockHandlers } from './blocks.ts'
import { decodeHandlers } from './decode.ts'
import { type LegacyNeeds, legacyHandlers } from './legacy.ts'
import { indexedMessageHandlers } from './messages.ts'
import { pendingHandlers } from './pending.ts'
import { createSideObjects } from './sideObjects.ts'
import { traceHandlers } from './traces.ts'
import { indexedTransactionHandlers } from './transactions.ts'

export interface IndexedNeeds extends LegacyNeeds {
  /** Friendly forms of addresses are marked for test networks. */
  readonly testOnly: boolean
  readonly pending: PendingTraces
}

export function indexedHandlers(needs: IndexedNeeds): WritingHandlers<typeof indexed> {
  const { store } = needs
  const side = createSideObjects(needs)
  const pending = { traces: needs.pending, actions: new PendingActions(store), side }
  return {
    ...accountListHandlers(store, side),
    ...indexedBlockHandlers(store),
    ...indexedTransactionHandlers(store, side),
    ...indexedMessageHandlers(store, side),
    ...traceHandlers(store, side),
    ...assetHandlers(store, side),
    ...actionHandlers(store, side),
    ...pendingHandlers(pending),
    ...pendingActionHandlers(pending),
    ...decodeHandlers,
    ...legacyHandlers(needs),
  }
}
