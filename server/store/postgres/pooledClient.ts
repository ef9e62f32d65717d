// A client of PostgreSQL of which a pool may have many: each can be ended at once, and has to answer in time.

import pg from 'pg'
import { afterReading } from '../../process/index.ts'
import type { DatabaseAddress } from '../databaseAddress.ts'
import { StoreError } from '../storeError.ts'
import { handRowsOver } from '../wire/serverMessages.ts'
import { connectionConfig } from './connectionConfig.ts'

class PooledClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    handRowsOver(this)
  }

  /** Ends the connection at once. `end` waits for what was sent, to which a server that hangs has no answer. */
  cut(): void {
    if ('connection' in this && this.connection instanceof pg.Connection) this.connection.stream.destroy()
  }
}

/** Each client reads the address again when it connects. */
export const clientOf = (address: DatabaseAddress): typeof PooledClient =>
  class extends PooledClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...connectionConfig(address) })
    }
  }

/** A server, or a pooler before it, took a connection and answers nothing. */
export class NoAnswer extends StoreError {
  constructor(ms: number) {
    const late = `The database took a connection, and no answer came in ${ms} ms`
    const advice = 'a pooler before it may have no session left: give it more, or let it share them by transaction'
    super('unavailable', `${late}; ${advice}`)
  }
}

/** One question to a new connection. Throws StoreError. */
export async function answeredInTime<T>(client: pg.ClientBase, answer: Promise<T>, ms: number): Promise<T> {
  let answered = (): void => undefined
  const lateness = new Promise<never>((_, reject) => {
    answered = afterReading(ms, () => {
      reject(new NoAnswer(ms))
      cut(client)
    })
  })
  try {
    return await Promise.race([answer, lateness])
  } finally {
    answered()
  }
}

export function cut(client: pg.ClientBase): void {
  if (client instanceof PooledClient) client.cut()
}
