// A block that is too large for those that read it is not made: once it is on disk, no start could read it.

/** An answer of a lite server. */
const MOST_BYTES = 2 ** 24 - 256
/** What readers of proofs accept; 2 MB, the most a network allows a block, have fewer. */
const MOST_CELLS = 1 << 19

const WIDTH_AT = 4
const CELLS_AT = 6

/** Readers would refuse the block: another one with less in it can be made. */
export class BlockTooLarge extends RangeError {
  override readonly name = 'BlockTooLarge'
}

/** Throws BlockTooLarge. */
export function checkBlockSize(boc: Uint8Array): void {
  const file = Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength)
  const cells = file.readUIntBE(CELLS_AT, file.readUInt8(WIDTH_AT) & 7)
  if (cells > MOST_CELLS || file.length > MOST_BYTES)
    throw new BlockTooLarge(
      `A block of ${cells} cells and ${file.length} bytes is not made: up to ${MOST_CELLS} cells and ${MOST_BYTES} bytes can be ` +
        'read again; spread large messages and account data over several blocks',
    )
}
