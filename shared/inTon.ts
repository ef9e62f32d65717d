/** Nanotons as a decimal number of TON, without zeros at its end. */
export function inTon(nanotons: bigint): string {
  const digits = String(nanotons < 0n ? -nanotons : nanotons).padStart(10, '0')
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
  return nanotons < 0n ? `-${text}` : text
}
