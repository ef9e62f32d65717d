import type { z } from 'zod'
import { toDigits } from '../../../shared/primitives.ts'
import type { TransactionId } from '../../../shared/v2/tonlib.ts'
import { base64Of } from '../../cell/index.ts'

const ZEROS = new Uint8Array(32)

/** A transaction by its time and hash; zeros for none. */
export const toTransactionId = (lt = 0n, hash: Uint8Array = ZEROS): z.output<typeof TransactionId> => ({
  '@type': 'internal.transactionId',
  lt: toDigits(lt),
  hash: base64Of(lt === 0n ? ZEROS : hash),
})
