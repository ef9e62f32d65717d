import { fromBase64 } from './base64.ts'
import { fromHex } from './hex.ts'

/**
 * 32 bytes out of 44 characters (base64 or base64url, padded), 43 (base64url, unpadded; `+` and `/` are refused there)
 * or 64 hex digits of any case; null for anything else. A space among 44 is an unescaped `+` of a query string.
 */
export function parseHash(text: string): Uint8Array | null {
  if (text.length === 64) return fromHex(text)
  if (text.length === 43) return /[+/]/.test(text) ? null : exactly32(fromBase64(text))
  if (text.length !== 44 || !text.endsWith('=')) return null
  return exactly32(fromBase64(text.replaceAll(' ', '+')))
}

const exactly32 = (bytes: Uint8Array | null): Uint8Array | null => (bytes?.length === 32 ? bytes : null)
