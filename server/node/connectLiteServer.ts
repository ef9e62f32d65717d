// A lite server over the network: a connection, the language it speaks, and its failures in the codes of lite servers.

import { AdnlError, type AdnlErrorCode, connectAdnl } from './adnl/index.ts'
import { LiteError, type LiteErrorKind } from './errors.ts'
import { createLiteServerOver } from './liteApi/index.ts'
import type { Connect, ServerAddress } from './pool/index.ts'

const KINDS: Partial<Record<AdnlErrorCode, LiteErrorKind>> = { timeout: 'timeout', tooLarge: 'badQuery' }

const asLiteError = ({ address: { name }, error }: { address: ServerAddress; error: AdnlError }): LiteError =>
  new LiteError(KINDS[error.code] ?? 'cancelled', `${name}: ${error.message}`, { cause: error })

/** Rejects with AdnlError. */
export const connectLiteServer: Connect = async (address, signal) => {
  const { host, port, key } = address
  const connection = await connectAdnl({ host, port, key, signal })
  const server = createLiteServerOver(async (query, options) => {
    try {
      return await connection.query(query, options)
    } catch (error) {
      throw error instanceof AdnlError ? asLiteError({ address, error }) : error
    }
  })
  return { ...server, close: () => connection.close(), onClose: (listener) => connection.onClose(listener) }
}
