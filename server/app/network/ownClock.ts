// Whether the clock of this machine is right, as far as that can be known: from the clocks of lite servers, and from the newest block,
// which was made before it was read.

import { type ServerPool, skewOfMost, type Trust } from '../../node/index.ts'
import type { Notes } from '../../observe/index.ts'

/** Clocks of servers are known to the second, plus the time of an answer. */
const NOISE_S = 5
/** So many servers that agree are believed; fewer may be one operator's. */
const FEWEST = 3

export interface ClockReading {
  /** Seconds that this machine's clock is ahead, by servers that agree; negative behind, 0 where too few do. */
  readonly aheadS: number
  /** Servers whose clocks are known. */
  readonly heard: number
  /** How it differs, and how that was found; null when it does not. */
  readonly words: string | null
}

export interface ClockWitnesses {
  readonly servers: ServerPool['servers']
  /** The newest proven block; null where a chain may have a time of its own, or has none yet. */
  readonly newest: NewestProven | null
}

export interface NewestProven {
  /** Unix seconds at which it was made. */
  readonly utime: number
  /** Seconds for which it has been the newest, however clocks were set meanwhile: it is at least as old. */
  readonly heldS: number
}

/** What a status of the chain says of its newest block. */
export const newestProven = ({
  head,
  heldS,
}: Pick<ReturnType<Trust['status']>, 'head' | 'heldS'>): NewestProven | null => head && { utime: head.utime, heldS }

const direction = (seconds: number): string => (seconds > 0 ? 'ahead of' : 'behind')

/** `now`: Unix seconds by this machine's clock. */
export function readOwnClock({ servers, newest }: ClockWitnesses, now: number): ClockReading {
  const skews = servers.flatMap(({ state, clock }) =>
    state !== 'dropped' && state !== 'away' && clock !== null ? [now - clock] : [],
  )
  const heard = skews.length
  const middle = skewOfMost(skews)
  const agreeing = skews.filter((skew) => Math.abs(skew - middle) <= NOISE_S).length
  const whole = Math.abs(middle).toFixed(0)
  const own = 'the clock of this machine is'
  if (Math.abs(middle) > NOISE_S && agreeing >= FEWEST && agreeing * 2 > heard) {
    const words = `${own} ${whole} s ${direction(middle)} those of ${agreeing} lite servers, which agree: ages are by theirs`
    // Servers whose clocks stand still together with the chain do not make it young.
    const most = newest === null ? middle : now - newest.utime - newest.heldS
    return { aheadS: Math.min(middle, most), words, heard }
  }
  const behind = newest === null ? 0 : newest.utime - now
  const isEarlier = behind > NOISE_S
  if (Math.abs(middle) > NOISE_S) {
    const more = isEarlier ? ', and behind the newest block, which is proven' : ''
    return { aheadS: 0, words: `${own} ${whole} s ${direction(middle)} theirs${more}`, heard }
  }
  const words = `${own} at least ${behind.toFixed(0)} s behind: the newest block, which is proven, was made later`
  return { aheadS: 0, words: isEarlier ? words : null, heard }
}

export const ownClockBy = (pool: Pick<ServerPool, 'servers'>, newest: () => NewestProven | null) => (): ClockReading =>
  readOwnClock({ servers: pool.servers, newest: newest() }, Date.now() / 1_000)

const CHECK_MS = 10_000

/**
 * Logs a clock that differs at two checks in a row, once, and that it does no more: after a process was stopped for a while, the first
 * times of servers it reads are those of before. Returns what ends it.
 */
export function watchOwnClock(read: () => ClockReading, log: Notes, everyMs = CHECK_MS): () => void {
  let wrongs = 0
  let isLogged = false
  const timer = setInterval(() => {
    const { words, heard } = read()
    // Without a time to compare with, no change is reported.
    if (words === null && heard === 0) return
    wrongs = words === null ? 0 : wrongs + 1
    if (words !== null && wrongs > 1 && !isLogged) log.warn({}, `${words}; set it`)
    if (words === null && isLogged) log.info({}, 'the clock of this machine agrees with those of lite servers')
    isLogged = wrongs > 1
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
