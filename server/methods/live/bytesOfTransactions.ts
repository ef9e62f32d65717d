// How much memory transactions of traces take.

import type { TransactionFound } from '../../store/index.ts'
import { bytesOfMessages } from '../view/v3/transaction.ts'

/** Of a transaction without the bodies of its messages. */
const TRANSACTION_BYTES = 6 << 10

/** What transactions take in memory, about. */
export const bytesOfTransactions = (all: readonly TransactionFound[]): number =>
  all.reduce((sum, one) => sum + TRANSACTION_BYTES + bytesOfMessages(one), 0)
