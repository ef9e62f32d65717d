// Axes of charts: round numbers and round times, and paths through points.

export interface ChartPoint {
  /** Unix seconds, or a number of something. */
  readonly at: number
  readonly value: number
}

export interface ChartRange {
  readonly from: number
  readonly to: number
}

/** Round numbers that cover a range, about as many as wanted. */
export function ticks({ from, to }: ChartRange, wanted = 4): number[] {
  const span = to - from
  // Ticks have twelve digits: of a narrower range they would be equal.
  if (!(span > Math.max(Math.abs(from), Math.abs(to)) * 1e-10) || !Number.isFinite(span)) return [from]
  const rough = span / Math.max(1, wanted)
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((one) => one * size >= rough) ?? 10) * size
  const first = Math.ceil(from / step)
  const last = Math.floor(to / step)
  // No round number lies between the ends.
  if (last < first) return [from]
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const STEPS = [
  1,
  5,
  15,
  30,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
]

/** Round times in a range, in unix seconds. */
export function timeTicks({ from, to }: ChartRange, wanted = 5): number[] {
  const step = STEPS.find((one) => (to - from) / one <= wanted) ?? 365 * DAY
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: Math.max(0, Math.min(count, 2 * wanted)) }, (_, i) => (first + i) * step)
}

const DATE = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const

const written = (utime: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', options).format(new Date(utime * 1000))

/** As much of a time as distinguishes it from the others of its axis. */
export function timeLabel(utime: number, { from, to }: ChartRange): string {
  const span = to - from
  if (span < 5 * MINUTE) return written(utime, { ...CLOCK, second: '2-digit' })
  if (span < 2 * DAY) return utime % DAY === 0 ? written(utime, DATE) : written(utime, CLOCK)
  return span < 400 * DAY ? written(utime, DATE) : written(utime, { ...DATE, year: 'numeric' })
}

/** The range of some values; a chart of amounts begins at 0 unless all are far above it. */
export function valueRange(values: readonly number[], fromZero: boolean): ChartRange {
  const known = values.filter((value) => Number.isFinite(value))
  if (known.length === 0) return { from: 0, to: 1 }
  const [low, high] = known.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [known[0] ?? 0, known[0] ?? 0],
  )
  if (fromZero && low >= 0) return { from: 0, to: high === 0 ? 1 : high }
  const room = (high - low) * 0.08 || Math.abs(high) * 0.05 || 1
  return { from: low >= 0 ? Math.max(0, low - room) : low - room, to: high + room }
}

/** Of the time after the first change: how much of the time before it is shown. */
const LEAD = 0.05

/** The times of a line of steps until now. A first value that held for longer than all others together is cut short. */
export function shownRange(points: readonly ChartPoint[], now: number): ChartRange {
  const [first, second] = points
  const to = Math.max(now, (points.at(-1)?.at ?? 0) + 1)
  if (first === undefined || second === undefined) return { from: first?.at ?? 0, to }
  const isLong = second.at - first.at > to - second.at
  return { from: isLong ? Math.floor(second.at - LEAD * (to - second.at)) : first.at, to }
}

export type Scale = (value: number) => number

/** From values to pixels. */
export const scale = (values: ChartRange, pixels: ChartRange): Scale => {
  const factor = values.to === values.from ? 0 : (pixels.to - pixels.from) / (values.to - values.from)
  return (value) => pixels.from + (value - values.from) * factor
}

const px = (value: number): string => String(Math.round(value * 10) / 10)

/** A line of steps: a value holds until the next one. */
export function stepPath(points: readonly ChartPoint[], x: Scale, y: Scale, until: number): string {
  const [first] = points
  if (first === undefined) return ''
  const parts = points.map(({ at, value }, i) =>
    i === 0 ? `M${px(x(at))} ${px(y(value))}` : `H${px(x(at))}V${px(y(value))}`,
  )
  return `${parts.join('')}H${px(x(until))}`
}

export function linePath(points: readonly ChartPoint[], x: Scale, y: Scale): string {
  return points.map(({ at, value }, i) => `${i === 0 ? 'M' : 'L'}${px(x(at))} ${px(y(value))}`).join('')
}

/** Points at every step of a time, 0 where none came: what lists of intervals leave out. */
export function filled(points: readonly ChartPoint[], step: number, { from, to }: ChartRange): ChartPoint[] {
  const known = new Map(points.map(({ at, value }) => [at, value]))
  const first = Math.floor(from / step) * step
  const count = Math.max(0, Math.floor((to - first) / step) + 1)
  return Array.from({ length: Math.min(count, 2000) }, (_, i) => {
    const at = first + i * step
    return { at, value: known.get(at) ?? 0 }
  })
}
