import { formatUnits } from '../../units.ts'
import { decimalsOf, symbolOf } from '../accountNames.ts'
import { groupDigits } from './groupDigits.ts'

/** A token may have 255 decimals: the digits behind these are in the tooltip. */
const MOST_DECIMALS = 18

export function decimal(units: bigint | string, decimals: number): string {
  const [whole = '', fraction = ''] = formatUnits(units, decimals).split('.')
  const shown = fraction.length > MOST_DECIMALS ? `${fraction.slice(0, MOST_DECIMALS)}…` : fraction
  return `${groupDigits(whole).replace('-', '−')}${shown === '' ? '' : `.${shown}`}`
}

/** Longer ones than any of TON may break, and are not wider than a window. */
const MOST_UNBROKEN = 30
/** A longer text may not fit beside its name on a phone: it may break before its point. */
const MOST_IN_LINE = 16

const big = (value: bigint | string | number | null | undefined): bigint | null =>
  value === null || value === undefined || (typeof value === 'string' && !/^-?\d+$/.test(value)) ? null : BigInt(value)

export interface AmountProps {
  /** In the smallest unit. */
  readonly of: bigint | string | number | null | undefined
  /** The master of the jetton; by default it is TON. */
  readonly jetton?: string | null
  /** With a sign in front, and the colour of what comes in. */
  readonly signed?: boolean
}

/** The number of the smallest unit is its tooltip. */
export function Amount({ of, jetton = null, signed = false }: AmountProps) {
  const units = big(of)
  if (units === null) return <span class="quiet">unknown</span>
  const sign = signed && units > 0n ? '+' : ''
  const text = decimal(units, jetton === null ? 9 : (decimalsOf(jetton) ?? 0))
  const unit = jetton === null ? 'TON' : symbolOf(jetton)
  const point = text.length > MOST_IN_LINE ? text.indexOf('.') : -1
  const classes = ['amount', sign && 'in', text.length + unit.length > MOST_UNBROKEN && 'long']
  return (
    <span class={classes.filter(Boolean).join(' ')} title={`${units} of the smallest unit`}>
      {sign}
      {point < 0 ? text : [text.slice(0, point), <wbr key="" />, text.slice(point)]} <span class="unit">{unit}</span>
    </span>
  )
}
