// Options of a caller besides the params of a v3 method: read from the headers once for all calls of a request.

export interface Modifiers {
  /** Leave `address_book` empty. */
  readonly noAddressBook: boolean
  /** Leave `metadata` empty. */
  readonly noMetadata: boolean
  /** Maximum milliseconds of each database query; null when the caller sets none. */
  readonly timeoutMs: number | null
  /** Used instead of `supported_action_types`; null when absent. */
  readonly actionsVersion: string | null
  /** Masterchain block the index must have; null when absent, NaN when it is no number. */
  readonly minSeqno: number | null
  /** What the caller wrote it as. */
  readonly minSeqnoName: string
}

export const NO_MODIFIERS: Modifiers = {
  noAddressBook: false,
  noMetadata: false,
  timeoutMs: null,
  actionsVersion: null,
  minSeqno: null,
  minSeqnoName: 'X-Min-Seqno',
}

/** Part of the cache key; timeout and seqno are not, as they do not change a result. */
export function modifiersKey(modifiers: Modifiers): string {
  if (modifiers === NO_MODIFIERS) return ''
  const { noAddressBook, noMetadata, actionsVersion } = modifiers
  const version = actionsVersion === null ? '' : ` ${actionsVersion.length}:${actionsVersion}`
  return `${noAddressBook ? ' -book' : ''}${noMetadata ? ' -metadata' : ''}${version}`
}

/** Milliseconds that each statement of a call may take; `most` is what the service allows. */
export const statementTime = ({ timeoutMs }: Modifiers, most: number): number => Math.min(timeoutMs ?? most, most)
