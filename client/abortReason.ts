/** The error of a call that this signal aborted. Signals of React Native have no `reason`: it is an AbortError then, as elsewhere. */
export function abortReason(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason
  return reason === undefined ? Object.assign(new Error('the call was aborted'), { name: 'AbortError' }) : reason
}
