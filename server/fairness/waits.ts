// What the work of a call waits for, noted on the signal of the call: when the call ends unanswered, its error can name it.

interface Wait {
  readonly text: () => string | null
}

const WAITS = Symbol('waits')

type WaitingSignal = AbortSignal & { [WAITS]?: Set<Wait> }

/** Until the returned function is called. `text` is evaluated when it is needed: null while there is nothing to name. */
export function noteWait(signal: WaitingSignal | undefined, text: Wait['text']): () => void {
  if (signal === undefined) return () => undefined
  const wait = { text }
  signal[WAITS] ??= new Set()
  const waits = signal[WAITS]
  waits.add(wait)
  return () => void waits.delete(wait)
}

/** Null when nothing is noted. */
export function waitOfSignal(signal: WaitingSignal): string | null {
  for (const { text } of signal[WAITS] ?? []) {
    const found = text()
    if (found !== null) return found
  }
  return null
}
