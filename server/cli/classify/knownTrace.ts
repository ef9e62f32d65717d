import type { AccountsFacts, TraceInput } from '../../actions/index.ts'

/** All that the classifier takes. */
export interface KnownTrace {
  readonly trace: TraceInput
  readonly facts: AccountsFacts
}
