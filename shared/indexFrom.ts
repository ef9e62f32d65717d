// Where an empty index begins.

/** A masterchain block by its seqno, the first one made at or after a unix time, or the newest. */
export type IndexFrom = { readonly seqno: number } | { readonly utime: number } | 'now'

export const INDEX_FROM_WORDS = 'a seqno, a time like 2026-11-01T00:00:00Z, or now'

const MOST_SEQNO = 2 ** 31 - 1
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/

/** Whether the month has such a day: a day too many would be read as one of the next month. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** Null for `0`, which is what suits the chain; undefined for a text that means nothing. */
export function parseIndexFrom(text: string): IndexFrom | null | undefined {
  if (text === 'now') return 'now'
  if (/^\d{1,10}$/.test(text)) {
    const seqno = Number(text)
    return seqno > MOST_SEQNO ? undefined : seqno === 0 ? null : { seqno }
  }
  const ms = TIME.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) || ms < 0 ? undefined : { utime: Math.floor(ms / 1000) }
}
