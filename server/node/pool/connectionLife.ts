// One connection to a server, from its opening to its end. While it is open, the server's newest block is followed.

import { failureText, LeanAbort } from '../../process/index.ts'
import { bounded } from '../bounded.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import type { Clock } from '../systemClock.ts'
import { type InfoQuery, watchHead } from './poolHeadWatch.ts'
import type { Connect, LiteConnection, ServerAddress } from './serverAddress.ts'

const CONNECT_MS = 6_000

export interface OpenConnection {
  readonly server: LiteConnection
  readonly end: LeanAbort
}

export interface ConnectionLife {
  readonly address: ServerAddress
  readonly clock: Clock
  readonly connect: Connect
  readonly signal: AbortSignal
  /** Least time between two queries for the newest block. */
  readonly roundMs: number
  onOpen(connection: OpenConnection): void
  /** Called before each query for the newest block. */
  onQuery(): void
  onInfo(info: MasterchainInfo): void
  onClose(): void
}

const timeout = (text: string) => (): LiteError => new LiteError('timeout', text)

/** Resolves with the reason of its end. Never rejects. */
export async function liveConnection(life: ConnectionLife): Promise<string> {
  const { address, clock, connect, signal, roundMs } = life
  try {
    const opening = { clock, ms: CONNECT_MS, late: timeout(`no connection within ${CONNECT_MS} ms`), signals: [signal] }
    const server = await bounded(opening, async (own) => {
      const opened = await connect(address, own)
      if (own.aborted) opened.close()
      // It may be given up before its opening is known here.
      else own.addEventListener('abort', () => opened.close(), { once: true })
      return opened
    })
    const end = new LeanAbort()
    let closed: string | null = null
    server.onClose((error) => {
      closed = error.message
      end.abort()
    })
    // Stopped after it was opened.
    if (signal.aborted) end.abort()
    life.onOpen({ server, end })
    try {
      const fetchInfo = (query: InfoQuery) => {
        const { signal: caller, timeoutMs: ms } = query
        const late = timeout(`${address.name} did not answer within ${ms} ms`)
        life.onQuery()
        return bounded({ clock, ms, late, signals: [caller] }, (own) =>
          server.masterchainInfo({ ...query, signal: own }),
        )
      }
      const onInfo = (info: MasterchainInfo): void => life.onInfo(info)
      const reason = await watchHead({ clock, signal: end.signal, roundMs, fetchInfo, onInfo })
      return closed ?? reason
    } finally {
      end.abort()
      server.close()
      life.onClose()
    }
  } catch (error) {
    return failureText(error)
  }
}
