// Whether the index is ready for calls, and a text about its progress or the fault.

import type { Indexer } from '../../indexer/index.ts'
import { type DatabaseProbe, troubleOf } from './databaseProbe.ts'
import type { LateDatabase } from './lateDatabase.ts'

export interface IndexReadiness {
  readonly ready: boolean
  readonly words: string
  /** Not ready only because it has just begun. */
  readonly isStarting?: boolean
}

/** With a lag of this many blocks answers are too old. */
const FAR_BEHIND = 50
/** Failures in a row that are no passing trouble: a third of a second of tries. */
const STUCK_FAILURES = 3

export async function indexReadinessOf(
  indexer: Pick<Indexer, 'status'>,
  database: Pick<LateDatabase, 'isOpen' | 'failure'>,
  probe: Pick<DatabaseProbe, 'trouble'>,
): Promise<IndexReadiness> {
  if (!database.isOpen) {
    return database.failure === null
      ? { ready: false, words: 'the database is being opened', isStarting: true }
      : { ready: false, words: troubleOf(database.failure) }
  }
  const unreadable = await probe.trouble()
  const { state, trouble, failures, isRefused, isApart, head, first, lag, lacking, lacksFirstState } = indexer.status()
  if (unreadable !== null || isRefused || head === null)
    return {
      ready: false,
      words: unreadable ?? trouble ?? 'empty',
      isStarting: unreadable === null && trouble === null,
    }
  const behind = lag === null ? '' : `, ${lag} behind`
  const born = lacksFirstState ? ', without accounts that only the first state has, which no server returned' : ''
  const lacks = lacking === 0 ? '' : `, ${lacking} accounts without their data, which no server has any more`
  const back =
    first?.isPruned === true ? `, back to block ${first.seqno} of ${new Date(first.utime * 1000).toISOString()}` : ''
  const words = `block ${head.seqno}${behind}${back}${lacks}${born}${trouble === null ? '' : `; ${trouble}`}`
  const isStuck = state === 'stopped' || isApart || failures >= STUCK_FAILURES
  return { ready: !isStuck && (lag ?? 0) <= FAR_BEHIND, words }
}
