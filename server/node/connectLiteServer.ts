// A lite server over the network: a connection, the language it speaks, and its failures in the codes of lite servers.

import { type AdnlConnection, AdnlError, type AdnlErrorCode, connectAdnl } from './adnl/index.ts'
import { createLiteServerOver } from './liteApi/index.ts'
import { LiteError, type LiteErrorKind } from './liteErrors.ts'
import type { LiteServer } from './liteServer.ts'
import type { Connect } from './pool/index.ts'
import { withSpareConnection } from './spareConnection.ts'

const KINDS: Partial<Record<AdnlErrorCode, LiteErrorKind>> = { timeout: 'timeout', tooLarge: 'badQuery' }

/** Throws failures of a connection as LiteErrors with the AdnlError as cause. */
const failing =
  (name: string) =>
  (error: unknown): never => {
    if (!(error instanceof AdnlError)) throw error
    throw new LiteError(KINDS[error.code] ?? 'cancelled', `${name}: ${error.message}`, { cause: error })
  }

/** The server at the other end of a connection. */
export function createLiteServerOn(name: string, connection: Pick<AdnlConnection, 'query'>): LiteServer {
  const failed = failing(name)
  return createLiteServerOver((query, options) => connection.query(query, options).catch(failed))
}

/** Rejects with AdnlError. */
export const connectLiteServer: Connect = async ({ name, host, port, key }, signal) => {
  const first = await connectAdnl({ host, port, key, signal })
  const open = (ended: AbortSignal): Promise<AdnlConnection> => connectAdnl({ host, port, key, signal: ended })
  const connection = withSpareConnection(first, open, failing(name))
  return {
    ...createLiteServerOver((query, options) => connection.query(query, options)),
    close: () => connection.close(),
    onClose: (listener) => connection.onClose(listener),
  }
}
