// Long texts as bytes: a reply of many megabytes is encoded in slices, with a yield to the event loop between them.

import { eachPiece } from '../methods/index.ts'

export interface BytesOptions {
  readonly subject?: string | undefined
  readonly most?: number
}

/** The bytes of texts that follow each other. `subject` is whose reply it is. */
export const bytesOf = (texts: readonly string[], options?: BytesOptions): Promise<Buffer[]> =>
  eachPiece(texts, (piece) => Buffer.from(piece), options)
