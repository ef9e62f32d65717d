// JSON with numbers of 64 bits, such as the names of shards: a double would round them.

/** Strings are passed over; integers too long for a double become strings of the same digits. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g

/** Throws SyntaxError. */
export const parseExact = (text: string): unknown =>
  JSON.parse(text.replace(/^\uFEFF/, '').replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)))
