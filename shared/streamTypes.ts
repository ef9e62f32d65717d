// What can be subscribed to, on streams and by webhooks, and what a subscription to it has to name.

export const STREAM_TYPES = {
  transactions: 'addresses',
  messages: 'opcodes',
  actions: 'addresses',
  trace: 'trace_external_hash_norms',
  account_state_change: 'addresses',
  jettons_change: 'addresses',
  blocks: null,
  heads: null,
} as const

export type StreamTypeName = keyof typeof STREAM_TYPES

// The cast: these are its keys.
export const STREAM_TYPE_NAMES = Object.keys(STREAM_TYPES) as readonly StreamTypeName[]

export const isStreamType = (text: string): text is StreamTypeName => Object.hasOwn(STREAM_TYPES, text)

export const typesThatNeed = (list: 'addresses'): readonly StreamTypeName[] =>
  STREAM_TYPE_NAMES.filter((name) => STREAM_TYPES[name] === list)
