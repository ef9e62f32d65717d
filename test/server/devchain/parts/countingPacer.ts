// The pacer of a block, without time: it runs pieces one after the other and counts the pauses between them.

import type { Pacer } from '../../../../server/devchain/collate/pacer.ts'

export function countingPacer(): { readonly pacer: Pacer; pauses(): number } {
  let pauses = 0
  const pacer = {
    restIfDue: async () => undefined,
    async through<R>(pieces: Generator<void, R>): Promise<R> {
      for (;;) {
        const { done, value } = pieces.next()
        if (done === true) return value
        pauses++
      }
    },
  }
  // The cast: nothing else of it is used.
  return { pacer: pacer as unknown as Pacer, pauses: () => pauses }
}
