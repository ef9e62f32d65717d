// Size of the young generation in the heap of a worker.

const YOUNG_HEAP = '--max-semi-space-size'

/** A size that this process was started with is used by its workers, too: they inherit flags and environment. */
export function youngHeapFlags(mb: number): readonly string[] {
  const own = process.execArgv.filter((flag) => flag.startsWith(`${YOUNG_HEAP}=`))
  if (own.length > 0) return own
  return process.env.NODE_OPTIONS?.includes(YOUNG_HEAP) === true ? [] : [`${YOUNG_HEAP}=${mb}`]
}
