// Classifies traces that were indexed by a version without actions. Runs while the indexer is idle, some traces at a
// time, each time in an SQL transaction of its own, so that it can be stopped at any moment and resumes where it was.

import {
  type Database,
  lockIndex,
  markClassified,
  markTraces,
  readAll,
  type TraceRow,
  tracesToClassifyRead,
  writeActions,
} from '../../store/index.ts'
import { classifyStored, type OnFailure } from './classifier.ts'

/** Of one SQL transaction; a new block waits for no more. */
const MOST_TRACES = 100
/** But always at least one trace. */
const MOST_TRANSACTIONS = 2_000

export class Backfill {
  readonly #database: Pick<Database, 'transaction'>
  readonly #onFailure: OnFailure
  readonly #mostTraces: number
  #isDone = false

  constructor(database: Pick<Database, 'transaction'>, onFailure: OnFailure, mostTraces = MOST_TRACES) {
    this.#database = database
    this.#mostTraces = mostTraces
    this.#onFailure = onFailure
  }

  /** Runs while the indexer is idle, until no unclassified trace is left. */
  async while(isIdle: () => boolean): Promise<void> {
    while (!this.#isDone && isIdle()) this.#isDone = !(await this.#some())
  }

  /** False when there was none. */
  #some(): Promise<boolean> {
    return this.#database.transaction(async (sql) => {
      // Of two at once the second would classify the traces of the first again.
      await lockIndex(sql)
      const traces = few(await readAll(sql, tracesToClassifyRead(this.#mostTraces)))
      if (traces.length === 0) return false
      const writes = await classifyStored(sql, traces, this.#onFailure)
      markClassified(
        sql,
        traces.map(({ traceId }) => traceId),
      )
      await writeActions(sql, writes)
      markTraces(sql, writes)
      return true
    })
  }
}

function few(traces: readonly TraceRow[]): readonly TraceRow[] {
  let count = 0
  return traces.filter(({ nodes }, i) => {
    count += nodes
    return i === 0 || count <= MOST_TRANSACTIONS
  })
}
