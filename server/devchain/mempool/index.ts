// External messages, from their bytes to the queue for the next block: checked as the node checks them, tried where
// requested, taken once. It promises that any input gets a receipt or a MessageRefused with the node's text. It makes no
// blocks.

export { clockHint } from './clockHint.ts'
export { Mempool, type MempoolLimits, type Receipt, receiptOf } from './mempool.ts'
export {
  failDropped,
  MessageRefused,
  REFUSAL_OPENING,
  type RefusalReason,
  refusalOf,
  refused,
} from './messageRefused.ts'
export { externalLimitsOf, readExternal, readingExternal } from './readExternal.ts'
export { accountOfMoment, Trial } from './trial.ts'
