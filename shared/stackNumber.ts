const LIMIT = 1n << 256n

/** A 257-bit integer written as decimal digits or as 0x and hexadecimal ones, a minus in front; null for other text. */
export function parseNumber(text: string): bigint | null {
  const parts = /^(-?)(0[xX][0-9a-fA-F]{1,65}|\d{1,78})$/.exec(text)
  if (!parts) return null
  const magnitude = BigInt(parts[2] ?? '')
  const value = parts[1] === '-' ? -magnitude : magnitude
  return value >= -LIMIT && value < LIMIT ? value : null
}
