// A lite server over the network: a connection, the language it speaks, and its failures in the codes of lite servers.

import { type AdnlConnection, AdnlError, type AdnlErrorCode, connectAdnl } from './adnl/index.ts'
import { createLiteServerOver } from './liteApi/index.ts'
import { LiteError, type LiteErrorKind } from './liteErrors.ts'
import type { LiteServer } from './liteServer.ts'
import type { Connect } from './pool/index.ts'
import { withSpareConnection } from './spareConnection.ts'

const KINDS: Partial<Record<AdnlErrorCode, LiteErrorKind>> = { timeout: 'timeout', tooLarge: 'badQuery' }

/** The server at the other end of a connection; its failures are LiteErrors with the AdnlError as cause. */
export const createLiteServerOn = (name: string, connection: Pick<AdnlConnection, 'query'>): LiteServer =>
  createLiteServerOver((query, options) =>
    connection.query(query, options).catch((error: unknown) => {
      if (!(error instanceof AdnlError)) throw error
      throw new LiteError(KINDS[error.code] ?? 'cancelled', `${name}: ${error.message}`, { cause: error })
    }),
  )

/** Rejects with AdnlError. */
export const connectLiteServer: Connect = async ({ name, host, port, key }, signal) => {
  const first = await connectAdnl({ host, port, key, signal })
  const connection = withSpareConnection(first, (ended) => connectAdnl({ host, port, key, signal: ended }))
  return {
    ...createLiteServerOn(name, connection),
    close: () => connection.close(),
    onClose: (listener) => connection.onClose(listener),
  }
}
