// What tokens name outside of the chain and is to be fetched now, in pages.

import { account, text, uint32 } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'

export const decodeDue = decoderOf({ account, link: text, retryAt: uint32 })

/** Of a link, its beginning: it says which host it leads to. */
export type DueLink = ReturnType<typeof decodeDue>

export interface DuePage {
  /** Unix seconds. */
  readonly now: number
  readonly most: number
  /** The last one of the page before; null for the first page. */
  readonly after: DueLink | null
}

/** Characters; a whole link may have a hundred thousand. */
export const BEGINNING = 512

/** In front of all. */
export const NO_ACCOUNT = new Uint8Array(0)
