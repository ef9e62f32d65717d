/** Rejection of what this signal ended. Signals of React Native have no reason: an AbortError is what others have by default. */
export function abortReason(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason
  return reason === undefined ? Object.assign(new Error('the call was aborted'), { name: 'AbortError' }) : reason
}
