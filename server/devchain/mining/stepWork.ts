// What goes into the next step: messages from outside that wait, as many as fit, and changes of control methods; and what becomes of
// them when it fails.

import { StorageError } from '../../node/index.ts'
import { type StepWork, workFor } from '../chain/index.ts'
import type { BlockWork, External, ExternalOutcome } from '../collate/index.ts'
import type { Mempool } from '../mempool/index.ts'
import { BASECHAIN, MASTERCHAIN } from '../state/index.ts'
import type { ByHand } from './byHand.ts'

interface Waiting {
  readonly pool: Pick<Mempool, 'first'>
  /** Of each chain. */
  readonly maxExternals: number
}

/** The outcome of messages whose step has failed. */
export const notMade = (cause: unknown): ExternalOutcome => ({
  kind: 'dropped',
  why: 'the block with it could not be made',
  cause,
})

/** Whether a step could not be made for want of room, and changed nothing. */
export const isDiskFull = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.code === 'full'

/** Whether the disk has failed: no step is made until the chain is opened again. */
export const isDiskBroken = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.code === 'broken'

export function stepWork({ pool, maxExternals }: Waiting, { patches, injected }: ByHand) {
  const externals: External[] = [...pool.first(BASECHAIN, maxExternals), ...pool.first(MASTERCHAIN, maxExternals)]
  const all: BlockWork = { externals, patches, injected }
  const work: StepWork = { shard: workFor(all, BASECHAIN), master: workFor(all, MASTERCHAIN) }
  return { externals, work }
}
