// The methods a process without a chain runs by itself: those that only read the index, where it can read it, and those that
// read nothing. The process that owns the chain runs the others.

import type { chainRegistry } from '../../shared/registry.ts'
import type { Sql } from '../store/index.ts'
import type { WritingHandlers } from './call.ts'
import { addressHandlers } from './v2/addresses.ts'
import { decodeHandlers } from './v3/decode.ts'
import { storedHandlers } from './v3/indexed.ts'

export interface WorkerNeeds {
  /** Null where only the owner of the chain can read the index. */
  readonly store: Sql | null
  readonly testOnly: boolean
}

export interface WorkerHandlers {
  readonly handlers: Partial<WritingHandlers<typeof chainRegistry>>
  /** Whether this process runs a call by itself. */
  runs(name: string, params: Record<string, unknown>): boolean
}

/** States of earlier blocks are read from the chain. */
const AT_A_BLOCK: ReadonlySet<string> = new Set(['v3.accountStates', 'v3.walletStates'])

export function createWorkerHandlers({ store, testOnly }: WorkerNeeds): WorkerHandlers {
  const stored = store === null ? decodeHandlers : storedHandlers({ chain: null, store, testOnly })
  const handlers = { ...addressHandlers, ...stored }
  return {
    handlers,
    runs: (name, params) => name in handlers && !(AT_A_BLOCK.has(name) && params.seqno !== undefined),
  }
}
