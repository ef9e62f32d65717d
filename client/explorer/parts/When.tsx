// A time as people say it, with the exact one as a tooltip. All of a page move on together.

import { signal } from '@preact/signals'
import { chainState } from '../live.ts'

const now = signal(Date.now())
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 1_000)

/** Seconds of the chain's clock, which can be ahead of this computer's. */
export const chainNow = (): number => Math.floor(now.value / 1000) + (chainState.value?.clock_offset ?? 0)

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** `3 min`, of whole seconds. */
export function duration(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= unit) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${name}`
}

export const exactTime = (utime: number): string =>
  new Date(utime * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')

export function When({ at }: { readonly at: number | string }) {
  const utime = Number(at)
  if (!(utime > 0)) return <span class="quiet">never</span>
  const age = Math.max(0, chainNow() - utime)
  const text = age < 1 ? 'now' : `${duration(age)} ago`
  return (
    <time dateTime={new Date(utime * 1000).toISOString()} title={exactTime(utime)}>
      {text}
    </time>
  )
}

export const ageOf = (utime: number): number => Math.max(0, chainNow() - utime)
