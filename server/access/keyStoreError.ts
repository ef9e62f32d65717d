/** Why a key could not be read or changed; what an operator is told stands in the message. */
export type KeyStoreReason = 'notFound' | 'revoked' | 'expired' | 'refused' | 'damaged' | 'busy'

/** A failure of the operator's side of keys: never shown to callers of the service. */
export class KeyStoreError extends Error {
  readonly reason: KeyStoreReason

  constructor(reason: KeyStoreReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'KeyStoreError'
    this.reason = reason
  }
}
