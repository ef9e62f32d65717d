/** A bag of cells: its bytes, or the same in base64, which is what the emulator speaks and what answers come in. */
export type Boc = Uint8Array | string

export function toBase64(boc: Boc): string {
  if (typeof boc === 'string') return boc
  return Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength).toString('base64')
}

export function toBytes(boc: Boc): Uint8Array {
  return typeof boc === 'string' ? Buffer.from(boc, 'base64') : boc
}
