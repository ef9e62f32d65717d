// Requests sent behind one that is not answered yet. A chunk off the wire may hold a thousand of them, which the parser
// hands over in one go: they are answered in later turns of the event loop, and reading stops while many wait.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { subjectOf } from '../access/index.ts'
import type { Turns } from '../fairness/index.ts'

/** Of one connection: reading stops at the first number and goes on at the second. */
const MANY = 64
const FEW = 16

interface Waiting {
  count: number
  stopped: boolean
}

export type Later = (req: IncomingMessage, res: ServerResponse, handle: () => void) => void

export function createPipelined(turns: Turns): Later {
  const waiting = new WeakMap<Socket, Waiting>()

  return ({ socket }, res, handle) => {
    const own = waiting.get(socket) ?? { count: 0, stopped: false }
    waiting.set(socket, own)
    own.count++
    if (own.count >= MANY && !own.stopped) {
      own.stopped = true
      socket.pause()
    }
    res.once('close', () => {
      own.count--
      if (!own.stopped || own.count > FEW) return
      own.stopped = false
      socket.resume()
    })
    turns.run(subjectOf(socket.remoteAddress ?? ''), () => {
      if (!socket.destroyed) handle()
    })
  }
}
