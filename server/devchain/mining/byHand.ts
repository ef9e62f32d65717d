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

/** The changes of one step, in the order in which they were requested. */
export class ByHand {
  readonly #patches: Order<AccountPatch, void>[] = []
  readonly #injected: Order<Injected, BinaryHash>[] = []

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
}
