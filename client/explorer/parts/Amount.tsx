import { formatUnits } from '../../units.ts'
import { foreignText } from '../accountNames.ts'

/** Digits in groups of three, by a space that is thin and does not break. */
export const groupDigits = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f')

/** A token may have 255 decimals: the digits behind these are in the tooltip. */
const MOST_DECIMALS = 18

export function decimal(units: bigint | string, decimals: number): string {
  const [whole = '', fraction = ''] = formatUnits(units, decimals).split('.')
  const shown = fraction.length > MOST_DECIMALS ? `${fraction.slice(0, MOST_DECIMALS)}…` : fraction
  return `${groupDigits(whole).replace('-', '−')}${shown === '' ? '' : `.${shown}`}`
}

const big = (value: bigint | string | number | null | undefined): bigint | null =>
  value === null || value === undefined || (typeof value === 'string' && !/^-?\d+$/.test(value)) ? null : BigInt(value)

export interface AmountProps {
  /** In the smallest unit. */
  readonly of: bigint | string | number | null | undefined
  readonly decimals?: number
  readonly symbol?: string
  /** With a sign in front, and the colour of what comes in. */
  readonly signed?: boolean
}

/** TON by default; the number of the smallest unit is its tooltip. */
export function Amount({ of, decimals = 9, symbol = 'TON', signed = false }: AmountProps) {
  const units = big(of)
  if (units === null) return <span class="quiet">unknown</span>
  const sign = signed && units > 0n ? '+' : ''
  return (
    <span class={signed && units > 0n ? 'amount in' : 'amount'} title={`${units} of the smallest unit`}>
      {sign}
      {decimal(units, decimals)} <span class="unit">{foreignText(symbol, 16)}</span>
    </span>
  )
}
