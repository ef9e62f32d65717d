/** Why a key could not be read or changed; the message is written for operators. */
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
