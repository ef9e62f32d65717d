// Requests sent behind one that is not answered yet. A chunk off the wire may hold a thousand of them, which the parser
// hands over in one go: they are answered in later turns of the event loop, and reading stops while many wait.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { subjectOf } from '../../access/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { HeldReplies } from '../replies/heldReplies.ts'
import { holdReading, releaseReading } from './heldReading.ts'

/** Of one connection: reading stops at the first number and goes on at the second. */
const MANY = 64
const FEW = 16

interface Waiting {
  readonly replies: Set<ServerResponse>
  stopped: boolean
}

export type Later = (req: IncomingMessage, res: ServerResponse, handle: () => void) => void

/** When a connection ends, Node closes the reply that was being sent alone: calls and streams of those behind it would go on. */
function closeUnsent(replies: Iterable<ServerResponse>): void {
  for (const res of replies) {
    if (res.socket !== null || res.closed) continue
    res.destroy()
    res.emit('close')
  }
}

/** Bytes of replies that wait for those before them. */
function heldIn(replies: Iterable<ServerResponse>): number {
  let held = 0
  for (const res of replies) if (res.socket === null) held += res.writableLength
  return held
}

export function createPipelined(turns: Turns, held: HeldReplies): Later {
  const waiting = new WeakMap<Socket, Waiting>()

  return ({ socket }, res, handle) => {
    let own = waiting.get(socket)
    if (own === undefined) {
      const replies = new Set<ServerResponse>()
      own = { replies, stopped: false }
      waiting.set(socket, own)
      const holder = held.of(socket)
      if (holder !== undefined) holder.waiting = () => heldIn(replies)
      socket.once('close', () => closeUnsent(replies))
    }
    const { replies } = own
    replies.add(res)
    if (replies.size >= MANY && !own.stopped) {
      own.stopped = true
      holdReading(socket, 'requests')
    }
    res.once('close', () => {
      replies.delete(res)
      if (!own.stopped || replies.size > FEW) return
      own.stopped = false
      releaseReading(socket, 'requests')
    })
    turns.run(subjectOf(socket.remoteAddress ?? ''), () => {
      if (!socket.destroyed) handle()
    })
  }
}
