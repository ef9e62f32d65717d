// A warning that `--index-from` has no effect: only an empty index begins there, and this one begins later.

import type { IndexFrom } from '../../../shared/indexFrom.ts'
import type { Indexer } from '../../indexer/index.ts'
import type { Log } from '../../observe/index.ts'

/** A chain may have had no block for so long after the time in `--index-from`. */
const LATER_S = 3_600
const FIRST_BLOCK = 1

/** The warning; null where the index begins as named, or its older blocks were removed. */
function unusedText(first: ReturnType<Indexer['status']>['first'], from: IndexFrom | null): string | null {
  if (first === null || first.isPruned || from === null || from === 'now') return null
  // The time in `--index-from` may be before the first block of the chain.
  if (first.seqno === FIRST_BLOCK) return null
  const isLater = 'seqno' in from ? first.seqno > from.seqno : first.utime > from.utime + LATER_S
  if (!isLater) return null
  const again = 'seqno' in from ? `--reindex-from ${from.seqno}` : 'an earlier block in --reindex-from'
  return (
    `the index begins with block ${first.seqno} of ${new Date(first.utime * 1000).toISOString()}: --index-from is ` +
    `for an empty one; start once with ${again} to delete it and begin there`
  )
}

/** Logs it once, when it is known where the index begins. */
export function warnOfUnusedStart(
  indexer: Pick<Indexer, 'status' | 'onIndexed'>,
  from: IndexFrom | null,
  log: Pick<Log, 'warn'>,
): void {
  const forget = indexer.onIndexed((head) => {
    if (head === null) return
    forget()
    const text = unusedText(indexer.status().first, from)
    if (text !== null) log.warn({}, text)
  })
}
