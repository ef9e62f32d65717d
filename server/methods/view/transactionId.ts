import type { z } from 'zod'
import { toDigits } from '../../../shared/primitives.ts'
import type { TransactionId } from '../../../shared/v2/tonlib.ts'
import { quickBase64 } from './base64.ts'

const ZEROS = new Uint8Array(32)

/** A transaction by its time and hash; zeros for none. */
export const toTransactionId = (lt = 0n, hash: Uint8Array = ZEROS): z.output<typeof TransactionId> => ({
  '@type': 'internal.transactionId',
  lt: toDigits(lt),
  hash: quickBase64(lt === 0n ? ZEROS : hash),
})
