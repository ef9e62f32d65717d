/** A leader that was killed, or whose machine is gone, is not in the way any more then. */
const GONE_MS = 5_000

/** Calls back once when another process has led for so long that it is alive. The returned function is called while one leads. */
export function afterStandby(onStandby: () => void): () => void {
  let began: number | null = null
  let isReported = false
  return () => {
    began ??= performance.now()
    if (isReported || performance.now() - began < GONE_MS) return
    isReported = true
    onStandby()
  }
}
