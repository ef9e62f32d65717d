// Messages of a block: where they come from, the one order they are processed in, what descriptors they leave behind and
// what the queue is afterwards. How an account executes one is not known here.

export { deliverCreated, importMessages, runExternals } from './deliverMessages.ts'
export type { External, ExternalOutcome, Rejection } from './external.ts'
export { type AccountName, type Injected, injectedMessage } from './injected.ts'
export { Intake } from './intake.ts'
export { type CreatedMessage, compareMessages, MessageHeap } from './messageHeap.ts'
export { enqueueRest, removeDelivered, undelivered } from './queue.ts'
export { endQueue } from './queueEnding.ts'
export { deliverInjected, payRecovered, wakeSpecialAccounts } from './special.ts'
