// What a handler gets beside its parameters, in tests that call it without a transport.

import { NO_MODIFIERS } from '../../server/methods/index.ts'

export const callWith = (signal: AbortSignal) => ({
  // The cast: these handlers ask nothing of the caller.
  caller: {} as never,
  requestId: '',
  timeoutMs: 300_000,
  modifiers: NO_MODIFIERS,
  signal,
})
