// One call that a person starts: in flight once, and its result or failure is said.

import { useState } from 'preact/hooks'
import { readDevState } from '../live.ts'
import { wordsFor } from '../pageClient.ts'
import { toast } from '../parts/Toast.tsx'

export interface StartedCall {
  readonly busy: boolean
  /** Why the last call failed. */
  readonly error: string | null
  readonly run: (call: () => Promise<string | null>) => void
}

/** The text a call resolves with is shown; the state of the chain is read again after each. */
export function useCall(): StartedCall {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const run = (call: () => Promise<string | null>): void => {
    if (busy) return
    setBusy(true)
    setError(null)
    call()
      .then(
        (text) => {
          if (text !== null) toast(text)
          return readDevState()
        },
        (failure: unknown) => setError(wordsFor(failure)),
      )
      .finally(() => setBusy(false))
  }
  return { busy, error, run }
}
