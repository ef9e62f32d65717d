// How much of the heap is alive. Seen from outside, garbage that was not collected yet looks like growth.

import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

let observer: PerformanceObserver | null = null
let live: number | null = null
const waiting: ((live: number) => void)[] = []

function isFullCollection(entry: PerformanceEntry): boolean {
  const detail = 'detail' in entry ? entry.detail : null
  const isObject = typeof detail === 'object' && detail !== null
  return isObject && 'kind' in detail && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

/** `process.memoryUsage` opens a file, and throws where the process may open no more: from the observer that ended the process. */
const usedHeap = (): number => getHeapStatistics().used_heap_size

function observe(): void {
  if (observer !== null) return
  observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFullCollection)) return
    live = usedHeap()
    for (const then of waiting) then(live)
  })
  observer.observe({ entryTypes: ['gc'] })
}

/** Calls it with the bytes that are in use after each full collection of the calling thread's heap. */
export function onFullCollection(then: (live: number) => void): void {
  waiting.push(then)
  observe()
}

/** Bytes of the calling thread's heap in use after its last full collection; before the first, all that is in use. */
export function liveHeapBytes(): number {
  observe()
  return live ?? usedHeap()
}
