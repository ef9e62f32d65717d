// Amounts as people type and paste them.

import { parseTon } from '../../units.ts'

/** Thousands by commas, as in `1,000,000` or `1,000.5`. */
const WITH_GROUPS = /^\d{1,3}(?:,\d{3})+(?:\.\d*|,\d{3})$/
/** A thousand where people speak English, one where a comma is the point. */
const AMBIGUOUS = /^([1-9]\d{0,2}),(\d{3})$/

/** Nanotons of an amount in TON, or what is wrong with it. */
export function amountOf(text: string): { readonly nanotons: bigint } | { readonly wrong: string } {
  // The pages themselves have gaps between thousands.
  const plain = text.replace(/\s|TON$/gi, '')
  const [, whole, part] = AMBIGUOUS.exec(plain) ?? []
  if (whole !== undefined) return { wrong: `${plain} has two meanings: write ${whole}${part} or ${whole}.${part}.` }
  try {
    const nanotons = parseTon(WITH_GROUPS.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.'))
    return nanotons >= 0n ? { nanotons } : { wrong: 'The amount is below zero.' }
  } catch {
    return { wrong: 'An amount in TON, such as 1.5, with 9 decimals at most.' }
  }
}
