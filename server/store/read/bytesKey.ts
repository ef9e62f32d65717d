/** Bytes as the key of a Map: a text of as many characters. Hex is twice as long, and takes a third longer to make and find. */
export const bytesKey = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
