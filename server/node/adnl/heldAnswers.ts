// Large answers of one connection that wait for their turn: to hash and copy five megabytes takes 10 ms, and many clients may get
// the same answer at once.

import type { Turns } from '../../fairness/index.ts'

const LARGE_BYTES = 128 * 1024

export const isLargeAnswer = ({ length }: Uint8Array): boolean => length >= LARGE_BYTES

export class HeldAnswers {
  readonly #turns: Turns
  readonly #network: string
  readonly #held = new Set<{ answer: Uint8Array | null }>()
  /** Bytes of all answers that wait; they count as unsent. */
  bytes = 0

  constructor(turns: Turns, network: string) {
    this.#turns = turns
    this.#network = network
  }

  /** `settle` is called in a later turn; with null when the answer was dropped meanwhile. */
  hold(answer: Uint8Array, settle: (answer: Uint8Array | null) => void): void {
    const held: { answer: Uint8Array | null } = { answer }
    this.#held.add(held)
    this.bytes += answer.length
    this.#turns.add(this.#network, () => {
      this.#held.delete(held)
      this.bytes -= held.answer?.length ?? 0
      settle(held.answer)
    })
  }

  drop(): void {
    for (const one of this.#held) one.answer = null
    this.bytes = 0
  }
}
