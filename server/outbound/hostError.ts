// Tells failures of hosts and networks from errors of this program, so that neither is reported as the other.

/** `refused`: the host must not be contacted. `failed`: its address is not known, for now. */
export class HostError extends Error {
  readonly code: 'refused' | 'failed'

  constructor(code: 'refused' | 'failed', text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'HostError'
    this.code = code
  }
}

/**
 * Whether a host, the network or the system failed: Node gives all those errors a code. A TypeError with a code says that this program
 * called Node wrongly.
 */
export const isFromOutside = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof TypeError) && 'code' in error && typeof error.code === 'string'
