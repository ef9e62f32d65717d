// What can be subscribed to, on streams and by webhooks, and the list that a subscription to it has to have.

export const STREAM_TYPES = [
  { name: 'transactions', needs: 'addresses' },
  { name: 'messages', needs: 'opcodes' },
  { name: 'actions', needs: 'addresses' },
  { name: 'trace', needs: 'trace_external_hash_norms' },
  { name: 'account_state_change', needs: 'addresses' },
  { name: 'jettons_change', needs: 'addresses' },
  { name: 'nfts_change', needs: 'addresses' },
  { name: 'blocks', needs: null },
  { name: 'heads', needs: null },
] as const

export type StreamTypeName = (typeof STREAM_TYPES)[number]['name']

export const STREAM_TYPE_NAMES: readonly StreamTypeName[] = STREAM_TYPES.map(({ name }) => name)
