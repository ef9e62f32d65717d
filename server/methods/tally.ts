// What is counted of calls.

import type { UsageMeter } from '../access/index.ts'
import type { MethodMeter } from '../observe/index.ts'
import type { CallOutcome, ChargedCall } from './call.ts'

/** A method, or the name of all that are unknown. */
export interface Counted {
  readonly name: string
  readonly meter: MethodMeter
  readonly usage: UsageMeter | null
}

/** Counts a finished call: in the metrics, for the usage of the caller, and with the transport that carried it. */
export function tally(
  { name, meter, usage }: Counted,
  call: Pick<ChargedCall, 'note' | 'caller' | 'requestId'>,
  over: CallOutcome,
): void {
  const { outcome, ms, bytes } = over
  meter.done(outcome, ms, call.requestId)
  usage?.done(call.caller.keyId, name, { outcome, bytes })
  call.note?.(name, over)
}
