// How long a small piece of work takes in this process.

import { median } from './compare.ts'

export function microseconds(work: () => unknown): number {
  const start = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - start) / 1000
}

/** Median microseconds of one call, `calls` of which make a round, after a warm-up. */
export function measure(work: (i: number) => unknown, rounds: number, calls = 1): number {
  const round = (first: number): void => {
    for (let i = 0; i < calls; i++) work(first + i)
  }
  for (let i = 0; i < Math.max(3, rounds / 2); i++) round(i * calls)
  return median(Array.from({ length: rounds }, (_, i) => microseconds(() => round(i * calls)) / calls))
}
