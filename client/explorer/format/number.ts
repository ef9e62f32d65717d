// Numbers that are read at a glance: on axes of charts, in sizes and shares. Exact amounts are in `parts/Amount.tsx`.

const MINUS = '−'
/** Narrow, and without a line break. */
const GAP = '\u202f'
const STEPS = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const

const threeDigits = (value: number): string => String(Number(value.toPrecision(3))).replace('-', MINUS)

/** More digits behind the point than this are read worse than the whole number. */
const MOST_DIGITS = 2

/** Evenly spaced values, as short as keeps them distinct: `1.25M`, or `999 900` and `999 950` where that would be `1M` twice. */
export function axisLabels(values: readonly number[]): string[] {
  const size = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const gap = Math.abs((values[1] ?? size) - (values[0] ?? 0))
  const step = size < 1000 ? 0 : Math.min(STEPS.length - 1, Math.floor(Math.log10(size) / 3))
  const digitsOf = (unit: number): number => Math.max(0, Math.ceil(-Math.log10((gap || 1) / unit) - 1e-9))
  const isShort = digitsOf(1000 ** step) <= MOST_DIGITS
  const [unit, letter] = isShort ? [1000 ** step, STEPS[step]] : [1, '']
  return values.map((value) => {
    const text = String(Number((value / unit).toFixed(Math.min(9, digitsOf(unit)))))
    const [whole = '', part] = text.replace('-', MINUS).split('.')
    return `${whole.replace(/\B(?=(\d{3})+$)/g, GAP)}${part === undefined ? '' : `.${part}`}${value === 0 ? '' : letter}`
  })
}

/** `1.5 kB`: of 1000 bytes each, as transfers are counted. */
export function bytes(size: number): string {
  const found = Math.min(STEPS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, size)) / 3)))
  // 999.9 has four digits, of which three are 1000.
  const step = Number((size / 1000 ** found).toPrecision(3)) === 1000 ? found + 1 : found
  return `${threeDigits(size / 1000 ** step)}${GAP}${STEPS[step] ?? ''}B`
}

/** `12.5%` of a share between 0 and 1. */
export const percent = (share: number): string => (Number.isFinite(share) ? `${threeDigits(share * 100)}%` : '')
