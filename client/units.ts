// Amounts between people and the wire: `1.5` TON is 1500000000 nanotons, `1500000` units of a jetton with 6 decimals.

const TON_DECIMALS = 9
const MOST_DECIMALS = 255

function scaleOf(decimals: number): number {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS) return decimals
  throw new TypeError(`decimals must be a whole number from 0 to ${MOST_DECIMALS}, not ${decimals}`)
}

/** Units of a decimal number in plain form. Throws TypeError for anything else, more decimals than there are included. */
export function parseUnits(text: string, decimals: number): bigint {
  const scale = scaleOf(decimals)
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) throw new TypeError(`not a decimal number: '${text}'`)
  const [, sign = '', whole = '', fraction = ''] = match
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > scale) throw new TypeError(`'${text}' has more than ${scale} decimals`)
  const units = BigInt(whole + significant.padEnd(scale, '0'))
  return sign === '' ? units : -units
}

function wholeOf(units: bigint | string): bigint {
  const text = String(units)
  if (/^-?\d+$/.test(text)) return BigInt(text)
  throw new TypeError(`not a whole number of units: '${text}'`)
}

/** The decimal number of some units, without zeros at its end. Throws TypeError for units that are no whole number. */
export function formatUnits(units: bigint | string, decimals: number): string {
  const scale = scaleOf(decimals)
  const value = wholeOf(units)
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - scale)
  return `${value < 0n ? '-' : ''}${whole}${scale === 0 || fraction === '' ? '' : `.${fraction}`}`
}

/** Nanotons of an amount in TON: `parseTon('1.5')` is `1500000000n`. */
export const parseTon = (text: string): bigint => parseUnits(text, TON_DECIMALS)

/** TON of an amount in nanotons: `formatTon('1500000000')` is `'1.5'`. */
export const formatTon = (nanotons: bigint | string): string => formatUnits(nanotons, TON_DECIMALS)
