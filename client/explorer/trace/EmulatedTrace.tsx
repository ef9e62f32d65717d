// What messages would do, shown as a trace of no block.

import { useState } from 'preact/hooks'
import type { Trace } from '../../index.ts'
import type { Emulated } from '../lab/compose/sendComposed.ts'
import { type Selection, TraceView } from './TraceView.tsx'

function traceOf({ trace, transactions, actions, mc_block_seqno: seqno, ...rest }: Emulated): Trace {
  const block: Trace['mc_seqno_end'] = `${BigInt(seqno)}`
  const times = Object.values(transactions).map(({ now }) => now)
  return {
    trace_id: null,
    external_hash: null,
    mc_seqno_start: block,
    mc_seqno_end: block,
    start_lt: '0',
    start_utime: Math.min(...times),
    end_lt: null,
    end_utime: null,
    trace_info: {
      trace_state: 'complete',
      messages: times.length,
      transactions: times.length,
      pending_messages: 0,
      classification_state: 'ok',
    },
    is_incomplete: rest.is_incomplete,
    ...(rest.is_incomplete ? { warning: 'The trace is longer: this is its beginning.' } : {}),
    ...(rest.balance_changes === undefined ? {} : { balance_changes: rest.balance_changes }),
    actions,
    trace,
    transactions,
  }
}

export function EmulatedTrace({ emulated }: { readonly emulated: Emulated }) {
  const [selected, setSelected] = useState<Selection | null>(null)
  const isOfThis = selected !== null && Object.hasOwn(emulated.transactions, selected.hash)
  return (
    <TraceView
      trace={traceOf(emulated)}
      selected={isOfThis ? selected : null}
      onSelect={(hash) => setSelected({ hash })}
    />
  )
}
