// A long text as bytes. Encoding takes a millisecond per few hundred thousand characters, so a reply of many megabytes
// is encoded in slices, with a yield to the event loop between them.

import { inSlices } from '../fairness/index.ts'

/** Characters encoded at once; shorter texts are sent as they are. */
export const LONG_TEXT = 256 * 1024

export interface BytesOptions {
  readonly subject?: string | undefined
  readonly most?: number
}

/** Where each piece ends: never between the halves of a surrogate pair. */
function* piecesOf(text: string, most: number): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = Math.min(text.length, from + most)
    const last = text.charCodeAt(end - 1)
    const cut = end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
    yield text.slice(from, cut)
    from = cut
  }
}

/** `subject` is whose reply it is. */
export const bytesOf = async (text: string, { subject, most = LONG_TEXT }: BytesOptions = {}): Promise<Buffer> =>
  Buffer.concat(await inSlices([...piecesOf(text, most)], (piece) => Buffer.from(piece), { subject }))
