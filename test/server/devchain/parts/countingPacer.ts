// The pacer of a block, without time: it counts the pauses between pieces.

import type { Pacer } from '../../../../server/devchain/collate/pacer.ts'
import { inPieces } from '../../../../server/fairness/index.ts'

export function countingPacer(): { readonly pacer: Pacer; pauses(): number } {
  let pauses = 0
  const rests = {
    isDue: true,
    rest: async () => {
      pauses++
    },
  }
  const pacer = {
    restIfDue: async () => undefined,
    through: <R>(pieces: Generator<void, R>): Promise<R> => inPieces(pieces, rests),
  }
  // The cast: nothing else of it is used.
  return { pacer: pacer as unknown as Pacer, pauses: () => pauses }
}
