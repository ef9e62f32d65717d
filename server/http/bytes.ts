// Long texts as bytes: a reply of many megabytes is encoded in slices, with a yield to the event loop between them.

import { eachPiece } from '../methods/index.ts'

export interface BytesOptions {
  readonly subject?: string | undefined
  readonly most?: number
}

/** Text of ASCII alone is copied as it is, which takes a third of the time. */
const encoded = (piece: string): Buffer =>
  Buffer.from(piece, Buffer.byteLength(piece) === piece.length ? 'latin1' : 'utf8')

/** The bytes of texts that follow each other. `subject` is whose reply it is. */
export const bytesOf = (texts: readonly string[], options?: BytesOptions): Promise<Buffer[]> =>
  eachPiece(texts, encoded, options)
