export type AdnlErrorCode =
  /** No TCP connection. */
  | 'connect'
  /** The key that the list gives for the server is no key. */
  | 'key'
  /** The server does not answer the hello: it is no lite server, or has another key. */
  | 'hello'
  /** Bytes that are no frame, or too many unsolicited frames. */
  | 'protocol'
  /** The server sent nothing for too long. */
  | 'silence'
  /** The connection ended, or was closed here. */
  | 'closed'
  /** No answer in time; the connection stays. */
  | 'timeout'
  /** The caller's signal ended the query. */
  | 'aborted'
  /** Too many queries in flight. */
  | 'busy'
  /** A query that fits in no frame. */
  | 'tooLarge'

/** Why there is no connection, or no answer. */
export class AdnlError extends Error {
  readonly code: AdnlErrorCode

  constructor(code: AdnlErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'AdnlError'
    this.code = code
  }
}
