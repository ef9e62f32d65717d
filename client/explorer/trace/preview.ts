// What of a pending trace is looked at again, and what is drawn again: its transactions have other hashes with each block.

import type { Trace } from '../../index.ts'

/** Transactions of a preview that are read with each block, on average. */
const READ_PER_BLOCK = 100

/** A preview of thousands is megabytes: it is read again after this many blocks. */
export const blocksBetween = (trace: Trace | null): number =>
  1 + Math.floor((trace?.trace_info.transactions ?? 0) / READ_PER_BLOCK)

/** Equal for previews that differ in times, fees and hashes alone. */
function courseOf({ trace_id, transactions = {}, transactions_order: order = [] }: Trace): string {
  const steps = order.map((hash) => {
    const { account, emulated, description } = transactions[hash] ?? {}
    const compute = description?.compute_ph
    const code = compute?.skipped === false ? compute.exit_code : ''
    return `${account} ${emulated} ${description?.aborted} ${code} ${description?.action?.result_code}`
  })
  return [trace_id, ...steps].join('\n')
}

/** The preview to draw: the one that is drawn, unless the trace goes another way now, or a part of it is in a block. */
export const previewToDraw = (drawn: Trace | null, next: Trace): Trace =>
  drawn !== null && courseOf(drawn) === courseOf(next) ? drawn : next
