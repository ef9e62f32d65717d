// What this room throws. Everything is a `CellError` with a machine code; the subclasses name what is at fault: the
// data that was read, the cell that was being built, the bag of cells, the proof or the dictionary.

/** Codes of plain cell errors. */
export type CellErrorCode =
  | 'underflow'
  | 'overflow'
  | 'range'
  | 'value'
  | 'exotic'
  | 'pruned'
  | 'depth'
  | 'leftover'
  | 'virtual'

/** A cell that cannot be read, built or used in the requested way. */
export class CellError extends Error {
  readonly code: string

  constructor(code: string, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = new.target.name
    this.code = code
  }
}

/** A read past the end of a slice, in bits or in references. */
export class CellUnderflow extends CellError {
  constructor(text: string) {
    super('underflow' satisfies CellErrorCode, text)
  }
}

/** More than 1023 bits or four references. */
export class CellOverflow extends CellError {
  constructor(text: string) {
    super('overflow' satisfies CellErrorCode, text)
  }
}

/** Why a bag of cells was refused. */
export type BocErrorCode =
  | 'magic'
  | 'truncated'
  | 'trailing'
  | 'header'
  | 'tooLarge'
  | 'tooManyCells'
  | 'tooDeep'
  | 'roots'
  | 'absent'
  | 'crc'
  | 'index'
  | 'descriptor'
  | 'bits'
  | 'reference'
  | 'level'
  | 'exotic'
  | 'hashes'

/** Bytes that are no acceptable bag of cells. */
export class BocError extends CellError {
  constructor(code: BocErrorCode, text: string, options?: ErrorOptions) {
    super(code, text, options)
  }
}

/** Why a Merkle proof or update was refused. */
export type MerkleErrorCode = 'notProof' | 'notUpdate' | 'rootHash' | 'unknownCell' | 'level' | 'shape'

/** A proof or update that does not prove what it should, or cannot be made. */
export class MerkleError extends CellError {
  constructor(code: MerkleErrorCode, text: string) {
    super(code, text)
  }
}

/** Why a dictionary was refused. */
export type DictErrorCode = 'label' | 'node' | 'key' | 'order' | 'empty'

/** Cells that are no dictionary of the stated form, or a key that does not fit it. */
export class DictError extends CellError {
  constructor(code: DictErrorCode, text: string) {
    super(code, text)
  }
}

/** What a reader makes of cells of strangers; null when they are no such thing. Other failures go on. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}
