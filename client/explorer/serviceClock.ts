// The clock of the service, by which ages are counted: that of this computer can be a day off, and can be set meanwhile.

import { signal } from '@preact/signals'
import { boot } from './pageBoot.ts'

/** Smaller differences are the way of the page. */
const TOLERATED_MS = 5_000
/** What the clock of this computer moves more than its timer is a clock that was set, or a computer that slept. */
const JUMP_MS = 60_000
const MINUTE_MS = 60_000
/** An event of the window: timers stood still for a while, and what was connected may be dead. */
export const SLEPT = 'slept'

const differenceTo = (service: number, own: number): number =>
  Math.abs(service - own) > TOLERATED_MS ? service - own : 0

/** When timers of this page began, by the clock of this computer. */
const began = (): number => Date.now() - performance.now()

function atFirst(): number {
  const [navigation] = performance.getEntriesByType('navigation')
  const arrived = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0
  return boot.now === null ? 0 : differenceTo(boot.now, began() + arrived)
}

/** Milliseconds that this computer's clock is behind the service's. */
const behind = signal(boot.now === null ? 0 : atFirst())

const now = signal(Date.now())
/** Moves with it once a minute: hours and days of long lists need no more. */
const minute = signal(now.value)
let origin = began()

function look(): void {
  if (document.visibilityState !== 'visible') return
  now.value = Date.now()
  if (Math.abs(now.value - minute.value) >= MINUTE_MS) minute.value = now.value
  if (Math.abs(began() - origin) < JUMP_MS) return
  origin = began()
  dispatchEvent(new Event(SLEPT))
  // What is not to be had leaves the ages as they are.
  import('./readClock.ts')
    .then(({ readClock }) => readClock())
    .then((service) => (behind.value = differenceTo(service, Date.now())))
    .catch(() => undefined)
}
setInterval(look, 1_000)

/** Seconds that the service's clock is ahead of this computer's. */
export const clockLead = (): number => Math.round(behind.value / 1000)

/** Unix seconds by the service's clock; all that is drawn with it moves on together. */
export const serviceNow = (): number => Math.floor((now.value + behind.value) / 1000)

/** The same, up to a minute late. */
export const serviceMinute = (): number => Math.floor((minute.value + behind.value) / 1000)
