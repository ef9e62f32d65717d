// Whose work a signal ends. Whatever reads on behalf of a call has its signal already, so that the caller need not be passed
// beside it through each function on the way to what is shared.

const owners = new WeakMap<AbortSignal, string>()

/** From now on, what is done until this signal is aborted is done for this caller. */
export const ownSignal = (signal: AbortSignal, subject: string): void => {
  owners.set(signal, subject)
}

/** Undefined for a signal of no caller. */
export const ownerOfSignal = (signal: AbortSignal | undefined): string | undefined =>
  signal === undefined ? undefined : owners.get(signal)
