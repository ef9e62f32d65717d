// Whether a chain of lite servers can be read, and a text about its newest block or the fault.

import { OTHER_NETWORK, type ServerPool, syncText, type Trust } from '../../node/index.ts'
import { newestProven, readOwnClock } from './ownClock.ts'

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** Maximum lag of all servers behind the proven block. */
const MOST_BEHIND = 3
/** Clocks of validators may differ by less. */
export const MOST_AHEAD_S = 60
/** After so many servers were dropped for false answers, the other ones are suspect too. */
const MOST_DROPPED = 2

/** Why no call can be answered, or null; and the state as text. */
export function remoteReadiness(
  { servers }: Pick<ServerPool, 'servers'>,
  trust: Pick<Trust, 'status'>,
  { oldHeadS, now }: { readonly oldHeadS: number | null; readonly now: number },
): { readonly ready: boolean; readonly words: string } {
  const status = trust.status()
  const { head, sync, trouble, isUndone, fork } = status
  const ready = servers.filter(({ state }) => state === 'ready').length
  const clock = readOwnClock({ servers, newest: oldHeadS === null ? null : newestProven(status) }, now)
  const dropped = servers.filter(({ state, reason }) => state === 'dropped' && reason !== OTHER_NETWORK)
  const of = `${ready} of ${plural(servers.length, 'lite server')}${clock.words === null ? '' : `; ${clock.words}`}`
  if (dropped.length >= MOST_DROPPED)
    return { ready: false, words: `${of}: ${dropped.length} were dropped, ${dropped[0]?.reason}` }
  if (ready === 0) {
    const [why] = servers.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`]))
    return { ready: false, words: `no lite server answers${why === undefined ? '' : `; ${why}`}` }
  }
  if (head === null) {
    const words =
      sync === null ? (trouble ?? 'the newest block is being proven') : `proving the chain: ${syncText(sync)}`
    return { ready: false, words: `${words}, ${of}` }
  }
  const age = now - clock.aheadS - head.utime
  const made =
    age < -MOST_AHEAD_S ? `made ${(-age).toFixed(0)} s in the future` : `${Math.max(0, age).toFixed(1)} s ago`
  const words = `block ${head.id.seqno}, ${made}, ${of}`
  const best = Math.max(...servers.map(({ seqno }) => seqno ?? 0))
  if (isUndone || best < head.id.seqno - MOST_BEHIND)
    return {
      ready: false,
      words: `${words}; they are at block ${best} now: they are behind, or the chain was reverted`,
    }
  const isOld = oldHeadS !== null && age > oldHeadS
  if (fork !== null) return { ready: fork.isServed && !isOld, words: `${words}; ${fork.text}` }
  return { ready: !isOld, words: trouble === null ? words : `${words}; ${trouble}` }
}
