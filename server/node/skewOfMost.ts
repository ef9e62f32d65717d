/**
 * Seconds that most of the clocks are off by; 0 without any. More than half of them are off by at least this, in the same
 * direction: of two that differ, neither is most.
 */
export function skewOfMost(skews: readonly number[]): number {
  const sorted = [...skews].sort((a, b) => a - b)
  const [low = 0, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  if (low > 0 && high > 0) return low
  return low < 0 && high < 0 ? high : 0
}
