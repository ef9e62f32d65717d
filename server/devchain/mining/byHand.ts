// Changes that control methods add to the next step, each with the promise of its caller.

import type { BinaryHash } from '../../cell/index.ts'
import { type Injected, injectedMessage } from '../collate/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import type { AccountPatch } from '../state/index.ts'

interface Order<T, R> {
  readonly value: T
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

/** What was ordered, without who ordered it. */
export type Changes = Pick<ByHand, 'patches' | 'injected'>

/** Of these orders those that are wanted; the others fail. */
function kept<T, R>(orders: readonly Order<T, R>[], wanted: readonly T[], error: unknown): Order<T, R>[] {
  for (const { value, reject } of orders) if (!wanted.includes(value)) reject(error)
  return orders.filter(({ value }) => wanted.includes(value))
}

/** The changes of one step, in the order in which they were requested. */
export class ByHand {
  #patches: Order<AccountPatch, void>[] = []
  #injected: Order<Injected, BinaryHash>[] = []

  get size(): number {
    return this.#patches.length + this.#injected.length
  }

  get patches(): AccountPatch[] {
    return this.#patches.map(({ value }) => value)
  }

  get injected(): Injected[] {
    return this.#injected.map(({ value }) => value)
  }

  /** Resolves when it is in a block. */
  patch(value: AccountPatch): Promise<void> {
    return new Promise((resolve, reject) => this.#patches.push({ value, resolve, reject }))
  }

  /** Resolves with the hash of the message when a block has it. */
  inject(value: Injected): Promise<BinaryHash> {
    return new Promise((resolve, reject) => this.#injected.push({ value, resolve, reject }))
  }

  /** The blocks with all changes are made. */
  done(blocks: readonly JournalBlock[]): void {
    for (const { resolve } of this.#patches) resolve()
    for (const { id, startLt, utime } of blocks) {
      const here = this.#injected.filter(({ value }) => value.to.workchain === id.workchain)
      for (const [at, { value, resolve }] of here.entries())
        resolve(injectedMessage(value, startLt + BigInt(at), utime).hash())
    }
  }

  fail(error: unknown): void {
    for (const { reject } of [...this.#patches, ...this.#injected]) reject(error)
  }

  get changes(): Changes {
    const { patches, injected } = this
    return { patches, injected }
  }

  /** Keeps the orders that waited at an earlier time, and rejects all others. Returns those that no longer wait. */
  keep(earlier: Changes, error: unknown): Changes {
    this.#patches = kept(this.#patches, earlier.patches, error)
    this.#injected = kept(this.#injected, earlier.injected, error)
    const { patches, injected } = this
    return {
      patches: earlier.patches.filter((one) => !patches.includes(one)),
      injected: earlier.injected.filter((one) => !injected.includes(one)),
    }
  }
}
