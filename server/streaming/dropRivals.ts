// A block has the first transaction of a trace: what was predicted for another message of its wallet never comes.

import { toBase64 } from '../../shared/base64.ts'
import { rawOfKey } from '../methods/index.ts'
import type { BlockRows } from '../store/index.ts'
import type { Predictions } from './predictions.ts'
import type { ReportedTraces } from './reportedTraces.ts'
import { ReportPace } from './reportPace.ts'

/** Transactions of a block that are looked at between two looks at the clock. */
const FEW_ROOTS = 50

export async function dropRivals(
  { transactions, mcSeqno }: BlockRows,
  predictions: Predictions,
  reported: ReportedTraces,
): Promise<void> {
  const pace = new ReportPace()
  for (const [i, root] of transactions.entries()) {
    if (i % FEW_ROOTS === FEW_ROOTS - 1 && pace.isDue) await pace.rest()
    if (root.inMessage?.kind === 'externalIn') {
      const name = toBase64(root.inMessage.hashNorm ?? root.inMessage.hash)
      predictions.noteRoot(rawOfKey(root.row.account), name)
      reported.noteRoot(root, name, mcSeqno)
    }
  }
}
