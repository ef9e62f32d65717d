// Connections that are being handed to a worker. Each stays open here until the worker confirms it: after the end of a worker,
// Node would keep unconfirmed ones open for ever, and their callers would wait.

import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { HandedSeat } from '../http/index.ts'

export class HandedSockets {
  readonly #sockets = new Map<number, Socket>()

  /** `fail` is called when it cannot be sent. */
  send(to: Pick<ChildProcess, 'send'>, socket: Socket, handed: HandedSeat, fail: () => void): void {
    this.#sockets.set(handed.seatId, socket)
    to.send(handed, socket, { keepOpen: true }, (error) => {
      if (error !== null) fail()
    })
  }

  /** The worker has it, or it is over: it is closed here. */
  close(seatId: number): void {
    this.#sockets.get(seatId)?.destroy()
    this.#sockets.delete(seatId)
  }
}
