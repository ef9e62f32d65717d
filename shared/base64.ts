// Base64 in both alphabets, without Buffer or atob, so that it runs the same in browsers and in Node.

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < 64; i++) {
  VALUES[STANDARD.charCodeAt(i)] = i
  VALUES[URL_SAFE.charCodeAt(i)] = i
}

const mixesAlphabets = (text: string): boolean => /[+/]/.test(text) && /[-_]/.test(text)

/**
 * Bytes of a base64 or base64url text with or without padding, or null when it is neither: a foreign character, both
 * alphabets at once, a length no encoder makes, or spare bits that are not zero.
 */
export function fromBase64(text: string): Uint8Array | null {
  let end = text.length
  while (end > 0 && text.length - end < 2 && text[end - 1] === '=') end--
  if (end % 4 === 1 || (end !== text.length && text.length % 4 !== 0) || mixesAlphabets(text)) return null
  const bytes = new Uint8Array(Math.floor((end * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < end; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? -1
    if (value < 0) return null
    bits = ((bits << 6) | value) & 0xffff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[at++] = (bits >> held) & 0xff
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null
}

function encode(bytes: Uint8Array, alphabet: string, padding: string): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += alphabet.charAt(word >> 18) + alphabet.charAt((word >> 12) & 63)
    text += left > 1 ? alphabet.charAt((word >> 6) & 63) : padding
    text += left > 2 ? alphabet.charAt(word & 63) : padding
  }
  return text
}

/** Standard alphabet, padded. */
export const toBase64 = (bytes: Uint8Array): string => encode(bytes, STANDARD, '=')

/** URL-safe alphabet, no padding. */
export const toBase64Url = (bytes: Uint8Array): string => encode(bytes, URL_SAFE, '')
