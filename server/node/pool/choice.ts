// Chooses the server of the next call: of two random suitable ones, none of which is much too slow, the one that is less busy.

import { type BlockIdExt, MASTERCHAIN } from '../blockId.ts'
import type { PoolMember } from './poolMember.ts'
import { hasBlock } from './serverAddress.ts'

export interface ServerNeeds {
  readonly about?: BlockIdExt | undefined
  readonly lt?: bigint | undefined
  readonly mcSeqno?: number | undefined
  readonly newest?: boolean | undefined
}

export interface KnownHeads {
  /** The newest block a healthy server has. */
  readonly best: number
  /** A lag of up to this many blocks is ignored. */
  readonly tolerance: number
}

const LEAST_TOLERANCE = 3
/** Assumed latency of a server that was never measured, low so that it is tried soon. */
const UNKNOWN_MS = 20
/** A server is not compared with those that are so many times as busy. */
const FAR_TIMES = 4
/** Share of calls with a random server, so that one that was slow is measured again. */
const BY_CHANCE = 0.03
/** More calls than this wait in the pool, where another server may become free. */
const MOST_IN_FLIGHT = 200
const CROWDED_MS = 5

/** Servers within this many blocks are equally recent: three, or two seconds of blocks where those are faster. */
export const toleranceAt = (blockMs: number): number =>
  Math.max(LEAST_TOLERANCE, Math.ceil(2_000 / Math.max(1, blockMs)))

export function isNear({ head }: PoolMember, { best, tolerance }: KnownHeads): boolean {
  return head !== null && head.seqno >= best - tolerance
}

/** Whether a server is likely to have the answer; when none is, the others are tried. */
function fits(
  member: PoolMember,
  { about, lt, mcSeqno, newest = false }: ServerNeeds,
  heads: () => KnownHeads,
): boolean {
  const head = member.head?.seqno ?? -1
  if (member.score.isHigh) return false
  if (newest) return head >= heads().best
  const isKept = (mcSeqno === undefined || member.mayHold(mcSeqno)) && (lt === undefined || member.past.mayHoldLt(lt))
  if (about === undefined) return isKept && isNear(member, heads())
  if (!hasBlock(member.address.slices, about)) return false
  const seqno = about.workchain === MASTERCHAIN ? about.seqno : mcSeqno
  return seqno === undefined ? isNear(member, heads()) : isKept && head >= seqno && member.mayHold(seqno)
}

const costOf = ({ inFlight, latency }: PoolMember): number => (inFlight + 1) * (latency.mean ?? UNKNOWN_MS)

const anyOf = (members: readonly PoolMember[], random: () => number): PoolMember | null =>
  members[Math.floor(random() * members.length)] ?? null

function lessBusy(members: readonly PoolMember[], random: () => number): PoolMember | null {
  if (members.length < 2) return members[0] ?? null
  if (random() < BY_CHANCE) return anyOf(members, random)
  let least = Number.POSITIVE_INFINITY
  for (const one of members) least = Math.min(least, costOf(one))
  // Where most have become slow, two at random would mostly be two of those.
  const near = members.filter((one) => costOf(one) <= least * FAR_TIMES)
  const a = anyOf(near, random)
  const b = anyOf(near, random)
  return a !== null && b !== null && costOf(b) < costOf(a) ? b : a
}

/** Milliseconds until it may be called. */
export const waitFor = ({ cool, tokens, inFlight }: PoolMember): number =>
  Math.max(cool.left, tokens.wait, inFlight < MOST_IN_FLIGHT ? 0 : CROWDED_MS)

/** Whether only the limit of calls per second keeps a call from it. */
export const isWithinLimit = ({ cool, inFlight }: PoolMember): boolean => cool.left === 0 && inFlight < MOST_IN_FLIGHT

export type MemberChoice =
  | { readonly kind: 'use'; readonly member: PoolMember }
  /** All suitable servers are at their limits for now. */
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'none' }

/** A server that may be called at once; null when all suitable ones are at their limits. */
export function freeMember(
  members: readonly PoolMember[],
  needs: ServerNeeds,
  heads: () => KnownHeads,
  random: () => number,
): PoolMember | null {
  const [only] = members
  if (only === undefined) return null
  if (members.length === 1) return waitFor(only) === 0 ? only : null
  let isAnyFit = false
  const fitting: PoolMember[] = []
  const others: PoolMember[] = []
  let known: KnownHeads | null = null
  const readOnce = (): KnownHeads => {
    known ??= heads()
    return known
  }
  for (const member of members) {
    if (member.cool.left > 0) continue
    const isFit = fits(member, needs, readOnce)
    isAnyFit ||= isFit
    if (waitFor(member) === 0) (isFit ? fitting : others).push(member)
  }
  return lessBusy(isAnyFit ? fitting : others, random)
}

/** `members` are the reachable servers that this call has not tried yet. */
export function choose(
  members: readonly PoolMember[],
  needs: ServerNeeds,
  heads: () => KnownHeads,
  random: () => number,
): MemberChoice {
  const member = freeMember(members, needs, heads, random)
  if (member !== null) return { kind: 'use', member }
  const pauses = members.map(waitFor)
  return pauses.length === 0 ? { kind: 'none' } : { kind: 'pause', ms: Math.max(1, Math.min(...pauses)) }
}
