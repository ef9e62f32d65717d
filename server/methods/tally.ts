// Counts calls that are over: in the metrics, for the usage of the caller, and with the transport that carried them.

import type { MethodMeter } from '../observe/index.ts'
import type { ChargedCall, Outcome } from './call.ts'

/** A method, or the name of all that are unknown. */
export interface Counted {
  readonly name: string
  readonly meter: MethodMeter
}

export function tally({ name, meter }: Counted, call: Pick<ChargedCall, 'note'>, over: Outcome): void {
  meter.done(over.outcome, over.ms)
  call.note?.(name, over)
}
