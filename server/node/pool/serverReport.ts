// How one server is doing, for operators.

import { failureText } from '../../process/index.ts'
import { isNear, type KnownHeads } from './choice.ts'
import type { ErrorScore } from './health.ts'
import type { PoolMember } from './poolMember.ts'

/** The reason of a dropped server. */
export const OTHER_NETWORK = 'it serves another network'

export type ServerState = 'ready' | 'behind' | 'failing' | 'cooling' | 'away' | 'dropped'

export interface ServerReport {
  readonly name: string
  readonly state: ServerState
  /** Why it is away or dropped, or what it failed with while it is not called. */
  readonly reason: string | null
  readonly seqno: number | null
  /** Unix seconds of its newest block. */
  readonly utime: number | null
  /** Unix seconds by its own clock; null without a recent answer. */
  readonly clock: number | null
  /** Blocks behind the best server; null for one that is not connected or gave no block yet. */
  readonly lag: number | null
  readonly latencyMs: number | null
  readonly calls: number
  readonly failures: number
  readonly inFlight: number
}

function stateOf(member: PoolMember, heads: KnownHeads): ServerState {
  if (member.dropped !== null) return 'dropped'
  if (!member.isUsable) return 'away'
  if (member.cool.left > 0) return 'cooling'
  if (member.score.isHigh) return 'failing'
  return isNear(member, heads) ? 'ready' : 'behind'
}

function failureOf({ last, lacking }: ErrorScore): string | null {
  if (lacking !== null)
    return `it lacks blocks that the others have, around block ${lacking}: it may not be in sync; ask its operator, or use others`
  return last === null ? null : failureText(last)
}

export function reportOn(member: PoolMember, heads: KnownHeads): ServerReport {
  const { address, dropped, lost, head, latency, score, calls, inFlight } = member
  const state = stateOf(member, heads)
  const isGone = state === 'away' || state === 'dropped'
  return {
    name: address.name,
    state,
    reason: dropped ?? lost ?? (state === 'failing' || state === 'cooling' ? failureOf(score) : null),
    seqno: head?.seqno ?? null,
    utime: head?.utime ?? null,
    clock: member.clock,
    lag: head === null || isGone ? null : Math.max(0, heads.best - head.seqno),
    latencyMs: latency.mean,
    calls,
    failures: score.failures,
    inFlight,
  }
}
