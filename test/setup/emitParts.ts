// What notifications are emitted with, for subscribers who want no names.

import type { EmitParts } from '../../server/streaming/emit.ts'
import { SharedTexts } from '../../server/streaming/sharedTexts.ts'
import { StreamCounts } from '../../server/streaming/streamCounts.ts'

/** Fails where a name is read. */
export const unwantedBooks = {
  addressBook: () => Promise.reject(new Error('not wanted')),
  metadata: () => Promise.reject(new Error('not wanted')),
}

type Given = Pick<EmitParts, 'routes' | 'pace'> & Partial<EmitParts>

export const emitParts = (given: Given): EmitParts => ({
  books: unwantedBooks,
  counts: new StreamCounts(),
  texts: new SharedTexts(),
  ...given,
})
