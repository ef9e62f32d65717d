// Ports for programs that are told theirs, and for servers that come back to the one they had.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { hasCode } from '../../server/process/index.ts'

/** Below those that a system gives out by itself: of them, another program gets one in any moment that nobody listens there. */
const [LOWEST, HIGHEST] = [12_000, 32_000]

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
