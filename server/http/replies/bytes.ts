// Long texts as bytes: a reply of many megabytes is encoded in slices, with a yield to the event loop between them.

import { inSlices } from '../../fairness/index.ts'
import { eachPiece } from '../../methods/index.ts'

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

/** Bytes that follow each other as one, copied in slices: to compress it takes a whole. */
export async function wholeOf(pieces: readonly Buffer[], { subject }: BytesOptions = {}): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  await inSlices(
    pieces,
    (piece) => {
      at += piece.copy(whole, at)
    },
    { subject },
  )
  return whole
}

export const isOfBytes = (parts: readonly string[] | readonly Buffer[]): parts is readonly Buffer[] =>
  Buffer.isBuffer(parts[0])

/** The bytes of a long reply in parts, made in slices. */
export const wholeBytes = async (
  parts: readonly string[] | readonly Buffer[],
  options: BytesOptions,
): Promise<Buffer> => wholeOf(isOfBytes(parts) ? parts : await bytesOf(parts, options), options)
