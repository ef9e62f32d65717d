// What a caller may wish for beside the params of a v3 method: its door reads them, once for all calls of a request.

export interface Modifiers {
  /** Leave `address_book` empty. */
  readonly noAddressBook: boolean
  /** Leave `metadata` empty. */
  readonly noMetadata: boolean
  /** Milliseconds each question to the database may take. */
  readonly timeoutMs: number
  /** Takes the place of `supported_action_types`; null when it was not given. */
  readonly actionsVersion: string | null
}

/** Longest a question to the database may take, whatever is wished for. */
export const MOST_QUERY_MS = 3000

export const NO_MODIFIERS: Modifiers = {
  noAddressBook: false,
  noMetadata: false,
  timeoutMs: MOST_QUERY_MS,
  actionsVersion: null,
}

/** What tells answers apart that were asked for with the same params; how long one took does not. */
export function modifiersKey(modifiers: Modifiers): string {
  if (modifiers === NO_MODIFIERS) return ''
  const { noAddressBook, noMetadata, actionsVersion } = modifiers
  const version = actionsVersion === null ? '' : ` ${actionsVersion.length}:${actionsVersion}`
  return `${noAddressBook ? ' -book' : ''}${noMetadata ? ' -metadata' : ''}${version}`
}
