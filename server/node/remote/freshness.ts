// Validators that left and got their stake back risk nothing by signing another history. A chain whose newest key block is
// older than their terms may be such a history, or has stopped.

import { configParam, readableParam } from '../../tlb/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteServer } from '../liteServer.ts'
import { ProofError, verifyConfig } from '../verify/index.ts'
import type { ProvenAt } from './trustFile.ts'

const DAY = 86_400
const TIMING = 15
const VALIDATORS = 34
const TEMPORARY_VALIDATORS = 35

interface Age {
  readonly head: BlockIdExt
  readonly key: ProvenAt
  /** Unix seconds. */
  readonly now: number
}

/** Rejects with ProofError when the newest key block is older than two validator terms and its own term has ended. */
export async function demandFreshKey(
  server: Pick<LiteServer, 'config'>,
  { head, key, now }: Age,
  options: ReadOptions,
): Promise<void> {
  const wanted = [TIMING, VALIDATORS, TEMPORARY_VALIDATORS]
  const { config } = verifyConfig(head, wanted, await server.config(head, wanted, 0, options))
  const validators = configParam(config, TEMPORARY_VALIDATORS) ?? configParam(config, VALIDATORS)
  // Nodes do not need it, so one that cannot be read counts as not set.
  const term = readableParam(config, TIMING)?.electedFor ?? 0
  const until = Math.max((key.utime ?? 0) + 2 * term, validators?.utimeUntil ?? 0) + DAY
  if (now <= until) return
  throw new ProofError(
    'trust',
    `the newest key block, ${key.id.seqno}, is too old: its validators were due to be replaced by ` +
      `${new Date(until * 1000).toISOString()}; the chain has stopped or is forged: use other lite servers, or accept ` +
      'it with --trust-stale',
  )
}

/** Throws LiteError for a block made further in the future than allowed, in seconds: the clock of this machine may be wrong. */
export function demandPast({ seqno }: BlockIdExt, ahead: number, allowed: number | null): void {
  if (allowed !== null && ahead > allowed)
    throw new LiteError(
      'notReady',
      `block ${seqno} was made ${Math.round(ahead)} s in the future, where ${allowed} s are allowed: set this ` +
        "machine's clock, or use other lite servers",
    )
}
