// Lists that lie before the first block of an index that removes old ones are refused: empty, or with the few transactions that
// stay for the sake of their traces, they would look true.

import { ApiError } from '../../../../shared/errors.ts'
import { type KeptFrom, keptFromRead, readAll, type Sql } from '../../../store/index.ts'

/** Rows stay for longer than this after the bound has moved. */
const KNOWN_MS = 1_000

interface Known {
  readonly until: number
  /** Undefined where nothing was removed. */
  readonly kept: Promise<KeptFrom | undefined>
}

const known = new WeakMap<Sql, Known>()
/** As it was read last: it seldom goes back. */
const last = new WeakMap<Sql, KeptFrom>()

/** One read for all callers: within the limit of the database, as that of one caller would fail the others. */
function keptFrom(store: Sql): Promise<KeptFrom | undefined> {
  const now = performance.now()
  const before = known.get(store)
  if (before !== undefined && now < before.until) return before.kept
  const kept = readAll(store, keptFromRead()).then(([row]) => {
    if (row === undefined) last.delete(store)
    else last.set(store, row)
    return row
  })
  known.set(store, { until: now + KNOWN_MS, kept })
  kept.catch(() => known.delete(store))
  return kept
}

/** The end of a list, in each way it can be given. */
export interface ListEnd {
  /** Of a list of one masterchain block, which is given as `mc_seqno`. */
  readonly mcSeqno?: number | undefined
  /** The same, given as `seqno`: a refusal names the parameter. */
  readonly masterSeqno?: number | undefined
  readonly endUtime?: number | undefined
  readonly endLt?: bigint | undefined
}

/** The parameter by which a list ends before the first block that is kept. */
function paramBefore({ mcSeqno, masterSeqno, endUtime, endLt }: ListEnd, kept: KeptFrom): string | undefined {
  const ends = [
    ['mc_seqno', mcSeqno, kept.seqno],
    ['seqno', masterSeqno, kept.seqno],
    ['end_utime', endUtime, kept.genUtime],
    ['end_lt', endLt, kept.startLt],
  ] as const
  return ends.find(([, end, first]) => end !== undefined && end < first)?.[0]
}

/** Throws ApiError `notFound` for a list that ends before the first block that is kept. */
export async function demandKept(store: Sql, end: ListEnd): Promise<void> {
  const { mcSeqno, masterSeqno, endUtime, endLt } = end
  if ([mcSeqno, masterSeqno, endUtime, endLt].every((one) => one === undefined)) return
  const kept = await keptFrom(store)
  if (kept === undefined) return
  const param = paramBefore(end, kept)
  if (param === undefined) return
  const since = new Date(kept.genUtime * 1000).toISOString()
  const words = `the index begins with masterchain block ${kept.seqno} of ${since}: what is older was removed (--keep)`
  throw new ApiError('notFound', words, { param })
}

/**
 * What is read of a list. Throws as `demandKept`, which is looked up meanwhile: a database may be far away. Of a list that was removed
 * by what is known already, nothing is read before.
 */
export async function whileKept<T>(store: Sql, end: ListEnd, read: () => Promise<T>): Promise<T> {
  const kept = last.get(store)
  if (kept !== undefined && paramBefore(end, kept) !== undefined) {
    await demandKept(store, end)
    return await read()
  }
  const reading = read()
  reading.catch(() => undefined)
  await demandKept(store, end)
  return await reading
}
