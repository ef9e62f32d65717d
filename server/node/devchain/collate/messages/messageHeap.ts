// Messages created in a block and not yet delivered, smallest (lt, hash) first: the order every chain must process in.

import type { Cell, Hash } from '../../../../cell/index.ts'
import type { InternalInfo } from '../../../../tlb/index.ts'

export interface CreatedMessage {
  readonly lt: bigint
  readonly hash: Hash
  readonly message: Cell
  readonly info: InternalInfo
  /** The transaction that sent it. */
  readonly transaction: Cell
}

interface Ordered {
  readonly lt: bigint
  readonly hash: Hash
}

export const compareMessages = (a: Ordered, b: Ordered): number => {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  if (a.hash === b.hash) return 0
  return a.hash < b.hash ? -1 : 1
}

export class MessageHeap {
  readonly #heap: CreatedMessage[] = []

  get size(): number {
    return this.#heap.length
  }

  push(message: CreatedMessage): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(message)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || compareMessages(parent, message) <= 0) break
      heap[at] = parent
      at = above
    }
    heap[at] = message
  }

  pop(): CreatedMessage | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || first === last) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = heap[below]
      if (child === undefined) break
      const right = heap[below + 1]
      if (right !== undefined && compareMessages(right, child) < 0) {
        child = right
        below++
      }
      if (compareMessages(last, child) <= 0) break
      heap[at] = child
      at = below
    }
    heap[at] = last
    return first
  }
}
