// Which values of a reply lead to pages.

import { rawOf } from '../../../shared/explorer/views.ts'
import { toHex } from '../../../shared/hex.ts'
import { parseHash } from '../../../shared/parseHash.ts'

const PAGES: readonly (readonly [field: RegExp, path: string])[] = [
  [/^(?:trace_id|mc_trace_id)$/, '/trace/'],
  [/^(?:hash|tx_hash|last_transaction_hash|prev_trans_hash|in_msg_tx_hash|out_msg_tx_hash)$/, '/tx/'],
]
const SEQNO = /^(?:mc_block_seqno|mc_seqno|trace_mc_seqno_end|masterchain_seqno|last_seqno)$/

/** The path of the page for a value of a reply; null for most. */
export function linkOf(field: string, value: unknown): string | null {
  if (typeof value === 'number' && SEQNO.test(field)) return `/block/${value}`
  if (typeof value !== 'string') return null
  if (rawOf(value) !== null) return `/address/${value}`
  const hash = parseHash(value)
  const page = hash === null ? undefined : PAGES.find(([pattern]) => pattern.test(field))
  return page === undefined || hash === null ? null : `${page[1]}${toHex(hash)}`
}
