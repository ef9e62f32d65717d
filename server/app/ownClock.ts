// Whether the clock of this machine is right, as far as that can be known: from the clocks of lite servers, and from the newest block,
// which was made before it was read.

import { type ServerPool, skewOfMost } from '../node/index.ts'

/** Clocks of servers are known to the second, plus the time of an answer. */
const NOISE_S = 5
/** So many servers that agree are believed; fewer may be one operator's. */
const FEWEST = 3

export interface ClockReading {
  /** Seconds that this machine's clock is ahead, by servers that agree; negative behind, 0 where too few do. */
  readonly aheadS: number
  /** How it differs, and how that was found; null when it does not. */
  readonly words: string | null
}

export interface ClockWitnesses {
  readonly servers: ServerPool['servers']
  /** Unix seconds at which the newest proven block was made; null where a chain may have a time of its own, or has none yet. */
  readonly provenUtime: number | null
}

const direction = (seconds: number): string => (seconds > 0 ? 'ahead of' : 'behind')

/** `now`: Unix seconds by this machine's clock. */
export function readOwnClock({ servers, provenUtime }: ClockWitnesses, now: number): ClockReading {
  const skews = servers.flatMap(({ state, clock }) => (state === 'ready' && clock !== null ? [now - clock] : []))
  const middle = skewOfMost(skews)
  const agreeing = skews.filter((skew) => Math.abs(skew - middle) <= NOISE_S).length
  const whole = Math.abs(middle).toFixed(0)
  const own = 'the clock of this machine is'
  if (Math.abs(middle) > NOISE_S && agreeing >= FEWEST && agreeing * 2 > skews.length) {
    const words = `${own} ${whole} s ${direction(middle)} those of ${agreeing} lite servers, which agree: ages are by theirs`
    return { aheadS: middle, words }
  }
  const behind = provenUtime === null ? 0 : provenUtime - now
  const isEarlier = behind > NOISE_S
  if (Math.abs(middle) > NOISE_S) {
    const more = isEarlier ? ', and behind the newest block, which is proven' : ''
    return { aheadS: 0, words: `${own} ${whole} s ${direction(middle)} theirs${more}` }
  }
  const words = `${own} at least ${behind.toFixed(0)} s behind: the newest block, which is proven, was made later`
  return { aheadS: 0, words: isEarlier ? words : null }
}

export const ownClockBy =
  (pool: Pick<ServerPool, 'servers'>, proven: () => { readonly utime: number } | null) => (): ClockReading =>
    readOwnClock({ servers: pool.servers, provenUtime: proven()?.utime ?? null }, Date.now() / 1_000)

const CHECK_MS = 10_000

interface ClockLog {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
}

/** Logs a clock that differs, once, and that it does no more. Returns what ends it. */
export function watchOwnClock(read: () => ClockReading, log: ClockLog, everyMs = CHECK_MS): () => void {
  let wasWrong = false
  const timer = setInterval(() => {
    const { words } = read()
    if (words !== null && !wasWrong) log.warn({}, `${words}; set it`)
    if (words === null && wasWrong) log.info({}, 'the clock of this machine agrees with those of lite servers')
    wasWrong = words !== null
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
