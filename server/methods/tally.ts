// Counts calls that are over: in the metrics, for the usage of the caller, and with the transport that carried them.

import type { UsageMeter } from '../access/index.ts'
import type { MethodMeter } from '../observe/index.ts'
import type { ChargedCall, Outcome } from './call.ts'

/** A method, or the name of all that are unknown. */
export interface Counted {
  readonly name: string
  readonly meter: MethodMeter
  readonly usage: UsageMeter | null
}

export function tally(
  { name, meter, usage }: Counted,
  call: Pick<ChargedCall, 'note' | 'caller'>,
  over: Outcome,
): void {
  const { outcome, ms, json } = over
  meter.done(outcome, ms)
  usage?.done(call.caller.keyId, name, { outcome, bytes: json === null ? 0 : Buffer.byteLength(json) })
  call.note?.(name, over)
}
