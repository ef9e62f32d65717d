/** The same as `toBase64` of `shared/`, faster with Buffer: a page has hundreds of them. */
export const quickBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
