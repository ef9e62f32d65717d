// The methods a process that does not own the chain runs by itself: those that only read the index, those of v2 that only read the
// chain or its history, where it can, and those that read nothing. The owner of the chain runs the others.

import type { chainRegistry } from '../../shared/registry.ts'
import type { Chain } from '../node/index.ts'
import type { Sql } from '../store/index.ts'
import type { WritingHandlers } from './call.ts'
import type { Place } from './dispatch/elsewhere.ts'
import type { NewestOf } from './historyPages.ts'
import { accountHandlers } from './v2/accounts.ts'
import { addressHandlers } from './v2/addresses.ts'
import { blockHandlers } from './v2/blocks.ts'
import { configurationHandlers } from './v2/configuration.ts'
import { transactionHandlers } from './v2/transactions.ts'
import { storedHandlers } from './v3/indexed.ts'

/** A chain that the process reads by itself. */
export interface OwnReading {
  readonly chain: Chain
  /** Whether a call can be answered now. */
  readonly isReadable: boolean
}

/** The history of a chain that another process owns. */
export interface OwnHistory {
  /** As far as the process reads it by itself: it rejects with NotHere beyond that. */
  readonly chain: Chain
  newest: NewestOf
}

export interface WorkerNeeds {
  /** Null where only the owner of the chain can read it. */
  readonly reading: OwnReading | null
  /** Null where the process does not read history by itself. */
  readonly history: OwnHistory | null
  /** The index, read by the process itself or through the owner of the chain. */
  readonly store: Sql
  readonly testOnly: boolean
}

export interface WorkerHandlers {
  readonly handlers: Partial<WritingHandlers<typeof chainRegistry>>
  /** Where a call runs. */
  placeOf(name: string, params: Record<string, unknown>): Place
}

/** States of earlier blocks are read from the chain. */
const AT_A_BLOCK: ReadonlySet<string> = new Set(['v3.accountStates', 'v3.walletStates'])

const readersOf = ({ chain }: OwnReading) => ({
  ...accountHandlers(chain),
  ...blockHandlers(chain),
  ...configurationHandlers(chain),
  ...transactionHandlers(chain),
})

function historyReadersOf(history: OwnHistory) {
  const { chain } = history
  const { getBlockHeader, lookupBlock } = blockHandlers(chain)
  const newest: NewestOf = (account, signal) => history.newest(account, signal)
  return { getBlockHeader, lookupBlock, ...transactionHandlers(chain, newest) }
}

export function createWorkerHandlers({ reading, history, store, testOnly }: WorkerNeeds): WorkerHandlers {
  const stored = storedHandlers({ chain: null, store, testOnly })
  const readers = reading === null ? {} : readersOf(reading)
  const historyReaders = history === null ? {} : historyReadersOf(history)
  const others = { ...addressHandlers, ...stored }
  return {
    handlers: { ...historyReaders, ...readers, ...others },
    placeOf(name, { seqno }) {
      if (name in readers) return reading?.isReadable === true ? 'here' : 'elsewhere'
      if (name in historyReaders) return 'hereFirst'
      return name in others && !(AT_A_BLOCK.has(name) && seqno !== undefined) ? 'here' : 'elsewhere'
    },
  }
}
