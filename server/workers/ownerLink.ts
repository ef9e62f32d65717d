// A worker's side: its first message, the pipe to the owner, and the connections it is handed.

import { Socket } from 'node:net'
import type { HandedSeat } from '../http/index.ts'
import { PIPE } from './forkWorker.ts'
import { type ChannelAnswers, createChannel, type Takes, type WorkerChannel } from './workerChannel.ts'
import type { OwnerAnswers, OwnerTakes, WorkerAnswers, WorkerTakes } from './workerProtocol.ts'

export interface OwnerLink {
  readonly channel: WorkerChannel<OwnerAnswers, OwnerTakes>
  /** From now on the owner hands connections over. */
  ready(onConnection: (socket: Socket, handed: HandedSeat) => void): void
}

interface LinkParts {
  readonly answers: ChannelAnswers<WorkerAnswers>
  readonly takes: Takes<WorkerTakes>
  readonly onError: (error: unknown, name: string) => void
}

interface First<S> {
  readonly number: number
  readonly setup: S
}

/** Resolves with what the owner has sent first. */
export async function connectToOwner<S>(): Promise<First<S> & { link(parts: LinkParts): OwnerLink }> {
  // The owner decides when a worker ends: a signal of a terminal, or a log rotation's, goes to all processes of a service.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => undefined)
  process.once('disconnect', () => process.exit(1))
  // Who reads the log may be gone: the owner does without, and so do its workers.
  for (const out of [process.stdout, process.stderr]) out.on('error', () => undefined)
  // The cast: both processes are of one version of this program.
  const first = await new Promise<First<S>>((resolve) => process.once('message', (sent) => resolve(sent as First<S>)))
  return {
    ...first,
    link(parts) {
      const stream = new Socket({ fd: PIPE, readable: true, writable: true })
      const channel = createChannel<OwnerAnswers, OwnerTakes, WorkerAnswers, WorkerTakes>({ ...parts, stream })
      return {
        channel,
        ready(onConnection) {
          process.on('message', (handed: HandedSeat, socket) => {
            // A connection that was closed while it was handed over.
            if (!(socket instanceof Socket)) return channel.notify('released', handed.seatId)
            channel.notify('taken', handed.seatId)
            socket.allowHalfOpen = true
            onConnection(socket, handed)
          })
          process.send?.('ready')
        },
      }
    },
  }
}
