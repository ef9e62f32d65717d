// A heap: whatever was put in, the smallest comes out first.

export class MinHeap<T> {
  readonly #heap: T[] = []
  readonly #compare: (a: T, b: T) => number

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#heap.length
  }

  get first(): T | undefined {
    return this.#heap[0]
  }

  push(entry: T): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || this.#compare(parent, entry) <= 0) break
      heap[at] = parent
      at = above
    }
    heap[at] = entry
  }

  pop(): T | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = heap[below]
      if (child === undefined) break
      const right = heap[below + 1]
      if (right !== undefined && this.#compare(right, child) < 0) {
        child = right
        below++
      }
      if (this.#compare(last, child) <= 0) break
      heap[at] = child
      at = below
    }
    heap[at] = last
    return first
  }
}
