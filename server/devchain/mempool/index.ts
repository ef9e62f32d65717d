// Messages from outside, from their bytes to their place in the queue for the next block: checked as the node checks them,
// tried where that is asked for, taken once. It promises that whatever comes in meets a receipt or a MessageRefused in the
// node's words. It makes no blocks.

export { clockHint } from './clockHint.ts'
export { Mempool, type MempoolLimits, type Receipt, receiptOf } from './mempool.ts'
export { readExternal } from './readExternal.ts'
export { MessageRefused, type RefusalReason, refusalOf, refused } from './refusal.ts'
export { accountAt, Trial } from './trial.ts'
