// A free port: for a program that is started with a port number, and for a server that is stopped and started again on the same port.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { hasCode } from '../../server/process/index.ts'

/** Below the range from which the system picks ports: one of those could go to another program while nobody listens on it. */
const LOWEST = 12_000
const HIGHEST = 32_000

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (error) {
      if (hasCode(error, 'EADDRINUSE')) continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
