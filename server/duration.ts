const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a text like `500ms`, `1s` or `2m`; null when it is none. */
export function parseDuration(text: string): number | null {
  const [, digits, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? []
  return digits === undefined ? null : Math.round(Number(digits) * (UNITS[unit] ?? 0))
}
