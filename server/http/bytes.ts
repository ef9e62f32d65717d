// A long text as bytes: a reply of many megabytes is encoded in slices, with a yield to the event loop between them.

import { eachPiece } from '../methods/index.ts'

export interface BytesOptions {
  readonly subject?: string | undefined
  readonly most?: number
}

/** `subject` is whose reply it is. */
export const bytesOf = async (text: string, options?: BytesOptions): Promise<Buffer> =>
  Buffer.concat(await eachPiece(text, (piece) => Buffer.from(piece), options))
