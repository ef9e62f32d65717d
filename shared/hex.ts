const DIGITS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lowercase hex. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += DIGITS[byte]
  return text
}

const digitOf = (code: number): number => (code > 57 ? (code & 15) + 9 : code & 15)

/** Bytes of a hex text of any letter case, or null when it is not hex of whole bytes. */
export function fromHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return null
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = digitOf(text.charCodeAt(2 * i)) * 16 + digitOf(text.charCodeAt(2 * i + 1))
  return bytes
}
