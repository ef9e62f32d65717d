// A time as people say it, with the exact one as a tooltip. All of a page move on together.

import { computed, signal } from '@preact/signals'
import { duration } from '../../../shared/explorer/duration.ts'
import { chainState } from '../live.ts'
import { serviceMinute, serviceNow } from '../serviceClock.ts'

const clockOffset = computed(() => chainState.value?.clock_offset ?? 0)

/** Seconds of the chain's clock, which can be ahead of the service's. */
export const chainNow = (): number => serviceNow() + clockOffset.value

const ZONE_KEY = 'explorer-times'

function wasLocal(): boolean {
  try {
    return localStorage.getItem(ZONE_KEY) === 'local'
  } catch {
    // A browser can refuse storage; the choice then lasts as long as the page.
    return false
  }
}

/** Whether times in full are of this computer's zone, not UTC. */
const isLocal = signal(wasLocal())

function setLocal(isOne: boolean): void {
  isLocal.value = isOne
  try {
    localStorage.setItem(ZONE_KEY, isOne ? 'local' : 'utc')
  } catch {
    // As above.
  }
}

/** Seconds that the shown zone is ahead of UTC at a time. */
export const zoneShift = (utime: number): number =>
  isLocal.value ? -60 * new Date(utime * 1000).getTimezoneOffset() : 0

export function exactTime(utime: number): string {
  // Contracts of strangers have times that are no date.
  if (utime > 8e12) return 'far future'
  const shift = zoneShift(utime)
  const written = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)
  const zone = isLocal.value ? `${shift < 0 ? '-' : '+'}${written(Math.abs(shift)).slice(11, 16)}` : 'UTC'
  return `${written(utime + shift)} ${zone}`
}

/** A time in full; pressed, all of the page change between UTC and this computer's zone. */
const ExactTime = ({ at }: { readonly at: number | string }) => (
  <button
    type="button"
    class="zone"
    title={isLocal.value ? 'Show times in UTC' : "Show times in this computer's zone"}
    onClick={() => setLocal(!isLocal.value)}
  >
    {exactTime(Number(at))}
  </button>
)

export function When({ at }: { readonly at: number | string }) {
  const utime = Number(at)
  if (!(utime > 0)) return <span class="quiet">never</span>
  const hours = serviceMinute() + clockOffset.value - utime
  const age = hours > 3600 ? hours : ageOf(utime)
  const text = age < 1 ? 'now' : `${duration(age)} ago`
  return (
    <time dateTime={new Date(utime * 1000).toISOString()} title={exactTime(utime)}>
      {text}
    </time>
  )
}

/** In full and as an age, which stands last: it becomes longer. */
export const TimeAndAge = ({ at }: { readonly at: number | string }) => (
  <>
    <ExactTime at={at} /> <When at={at} />
  </>
)

export const ageOf = (utime: number): number => Math.max(0, chainNow() - utime)
