// Numbers that are read at a glance: on axes of charts, in sizes and shares. Exact amounts are in `parts/Amount.tsx`.

const MINUS = '−'
/** Narrow, and without a line break. */
const GAP = '\u202f'
const STEPS = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const

const threeDigits = (value: number): string => String(Number(value.toPrecision(3))).replace('-', MINUS)

function stepped(value: number, unit: string): string {
  const found = Math.min(STEPS.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value)) / 3)))
  // 999.9 has four digits, of which three are 1000.
  const rounded = Number((value / 1000 ** found).toPrecision(3))
  const step = Math.abs(rounded) === 1000 && found < STEPS.length - 1 ? found + 1 : found
  const text = threeDigits(value / 1000 ** step)
  return unit === '' ? `${text}${STEPS[step]}` : `${text}${GAP}${STEPS[step]}${unit}`
}

/** Three digits and a letter, such as `12.3k`. */
export const compact = (value: number): string =>
  !Number.isFinite(value) ? '' : Math.abs(value) < 1 ? threeDigits(value) : stepped(value, '')

/** `1.5 kB`: of 1000 bytes each, as transfers are counted. */
export const bytes = (size: number): string => (size < 1 ? `0${GAP}B` : stepped(size, 'B'))

/** `12.5%` of a share between 0 and 1. */
export const percent = (share: number): string => (Number.isFinite(share) ? `${threeDigits(share * 100)}%` : '')
