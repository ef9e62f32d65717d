// One WebSocket of the v4 interface: it is sent blocks. What it sends itself is not read, only counted.

import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Streaming, Watched } from '../../streaming/index.ts'
import { type SeatedPeer, SeatedSocket, type SeatedSocketParts } from './seatedSocket.ts'

export interface WatchSocketParts extends SeatedSocketParts {
  readonly streams: SeatedSocketParts['streams'] & Pick<Streaming, 'watch'>
}

/** Throws where the caller has no free seat any more. */
export class WatchSocket {
  readonly #seated: SeatedSocket
  readonly #unwatch: () => void

  constructor(
    ws: WebSocket,
    socket: Duplex,
    peer: SeatedPeer & { readonly watched: Watched },
    parts: WatchSocketParts,
  ) {
    this.#seated = new SeatedSocket(ws, socket, peer, parts)
    ws.on('message', () => this.#seated.noteRefused())
    this.#unwatch = parts.streams.watch.add(peer.watched, this.#seated.sink)
  }

  /** Called when the connection has ended. */
  end(): void {
    this.#unwatch()
    this.#seated.end()
  }
}
