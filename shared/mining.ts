// When blocks of the embedded chain are made, how far its clock goes, and how times are written: one reading for settings,
// methods and the chain.

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const PERIOD = String.raw`\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h)`

/** Milliseconds of a text like `500ms`, `1s` or `2m`; null for other text. */
function parseDuration(text: string): number | null {
  const [, digits, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? []
  return digits === undefined ? null : Math.round(Number(digits) * (UNITS[unit] ?? 0))
}

/**
 * - `auto`: a message makes a block at once, and so do messages it leads to, until none is left.
 * - `everyMs`: one step whenever so many milliseconds have passed.
 * - `manual`: only on request.
 */
export type MiningMode = 'auto' | 'manual' | { readonly everyMs: number }

/** The last time of a block: the format has 32 bits for it. */
export const LAST_UTIME = 2 ** 32 - 1

/** The clock can be set up to here. It runs on from there, and what is signed then expires later. */
export const LATEST_CLOCK = LAST_UTIME - 366 * 86_400

/** Milliseconds between blocks. */
export const SHORTEST_INTERVAL = 10
export const LONGEST_INTERVAL = 24 * 3_600_000

export const isInterval = (ms: number): boolean =>
  Number.isInteger(ms) && ms >= SHORTEST_INTERVAL && ms <= LONGEST_INTERVAL

/** Milliseconds of a time that may pass between blocks; null for any other text. */
export function parseInterval(text: string): number | null {
  const ms = parseDuration(text)
  return ms !== null && isInterval(ms) ? ms : null
}

export const MINING_PATTERN = new RegExp(`^(auto|manual|${PERIOD})$`)
export const MINING_WORDS = 'auto, manual or a time like 500ms or 1s'

/** `auto`, `manual` or a time between blocks; null for any other text. */
export function parseMining(text: string): MiningMode | null {
  if (text === 'auto' || text === 'manual') return text
  const everyMs = parseInterval(text)
  return everyMs === null ? null : { everyMs }
}

/** As a person writes it, in the largest unit that leaves no fraction: `1s`, `1500ms`, `24h`. */
export function miningText(mode: MiningMode): string {
  if (typeof mode === 'string') return mode
  const [unit = 'ms', ms = 1] = Object.entries(UNITS).findLast(([, one]) => mode.everyMs % one === 0) ?? []
  return `${mode.everyMs / ms}${unit}`
}
