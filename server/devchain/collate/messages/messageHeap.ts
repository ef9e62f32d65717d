// Messages created in a block and not yet delivered, smallest (lt, hash) first: the order every chain must process in.

import { type BinaryHash, type Cell, MinHeap } from '../../../cell/index.ts'
import type { InternalInfo } from '../../../tlb/index.ts'

export interface CreatedMessage {
  readonly lt: bigint
  readonly hash: BinaryHash
  readonly message: Cell
  readonly info: InternalInfo
  /** The transaction that sent it. */
  readonly transaction: Cell
}

interface Ordered {
  readonly lt: bigint
  readonly hash: BinaryHash
}

export const compareMessages = (a: Ordered, b: Ordered): number => {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  if (a.hash === b.hash) return 0
  return a.hash < b.hash ? -1 : 1
}

export class MessageHeap extends MinHeap<CreatedMessage> {
  constructor() {
    super(compareMessages)
  }

  /**
   * The next messages, in their order, that what they lead to cannot come before: a transaction is later than its message,
   * and what it sends is later than the transaction.
   */
  popNext(): CreatedMessage[] {
    const next: CreatedMessage[] = []
    const last = (this.first?.lt ?? 0n) + 1n
    for (let one = this.first; one !== undefined && one.lt <= last; one = this.first) {
      this.pop()
      next.push(one)
    }
    return next
  }
}
