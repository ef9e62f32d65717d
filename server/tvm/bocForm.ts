/** A bag of cells: its bytes, or the same in base64, which is what the emulator speaks and what answers come in. */
export type BocForm = Uint8Array | string

export function bocToBase64(boc: BocForm): string {
  if (typeof boc === 'string') return boc
  return Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength).toString('base64')
}

export function bocToBytes(boc: BocForm): Uint8Array {
  return typeof boc === 'string' ? Buffer.from(boc, 'base64') : boc
}
