import { StoreError } from '../store/index.ts'

/** Why a key or plan could not be read or changed; the message is written for operators. */
export type KeyStoreReason = 'notFound' | 'revoked' | 'expired' | 'conflict' | 'refused' | 'damaged' | 'busy'

/** A failure of the operator's side of keys: never shown to callers of the service. */
export class KeyStoreError extends Error {
  readonly reason: KeyStoreReason

  constructor(reason: KeyStoreReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'KeyStoreError'
    this.reason = reason
  }
}

/** What the database does not do now, for an operator. */
export async function asKeyStoreError<T>(work: Promise<T>, what = 'The keys'): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new KeyStoreError('busy', `${what} in the database cannot be read or changed: ${error.message}`, {
      cause: error,
    })
  }
}
