// How much heap a worker has for what was just made.

const YOUNG_HEAP = '--max-semi-space-size'

/** What this process was started with holds for its workers, too: they inherit its environment. */
export function youngHeapFlags(mb: number): readonly string[] {
  const own = process.execArgv.filter((flag) => flag.startsWith(`${YOUNG_HEAP}=`))
  if (own.length > 0) return own
  return process.env.NODE_OPTIONS?.includes(YOUNG_HEAP) === true ? [] : [`${YOUNG_HEAP}=${mb}`]
}
