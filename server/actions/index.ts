// Actions: what a person would call what a trace did. `classifyTrace` is a pure function from one complete trace, and the facts
// of its accounts, to rows; each rule under `rules/` is one file and one line of the list there.
//
// It promises an answer for every trace, within time proportional to its size: a rule that fails on hostile contents
// counts for nothing, and where everything fails the trace is described by its plain messages. It does no I/O: callers
// pass the facts. It knows no store and no wire beyond the JSON of an action's details.

export type { ClassifiedAction } from './action.ts'
export { classifyingTrace, classifyTrace } from './classify.ts'
export { gatherFacts } from './gatherFacts.ts'
export type { AccountFacts, AccountsFacts, SaleFacts, TraceInput, TraceMessage, TraceTransaction } from './input.ts'
export { withNewItems } from './newItems.ts'
export { withNewWallets } from './newWallets.ts'
export { supportedTypes } from './supportedTypes.ts'
