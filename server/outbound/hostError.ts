// Whose failure it is: what a host did must not hide an error of this program, nor that be told as one of a host.

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
 * Whether it is a failure of a host, of the way to it or of the system. All of those have a code; TypeErrors with one are of calls
 * that Node refused.
 */
export const isFromOutside = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof TypeError) && 'code' in error && typeof error.code === 'string'
