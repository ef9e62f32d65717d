// Bodies in chunks. A client may put each byte into a chunk of its own: Node hands over ten thousand of them in one go, which takes
// ten milliseconds, and each is a buffer of 370 bytes. Small ones are copied together, and a connection with many waits for its turn.

import type { IncomingMessage } from 'node:http'
import { subjectOf } from '../access/index.ts'
import { Turns } from '../fairness/index.ts'
import { holdReading, releaseReading } from './heldReading.ts'

/** Smaller chunks are copied, in bytes. */
const SMALL = 1024
const STAGE_BYTES = 8192
/** Number of small chunks after which the connection waits for its turn. */
const MANY = 512
/** Milliseconds that Node needs for the chunks it emits at once. */
const COST_MS = 5

class ChunkGatherer {
  readonly #req: IncomingMessage
  readonly #push: IncomingMessage['push']
  readonly #turns: Turns
  #stage: Buffer | null = null
  #staged = 0
  #count = 0
  #waits = false

  constructor(req: IncomingMessage, turns: Turns) {
    this.#req = req
    this.#push = req.push.bind(req)
    this.#turns = turns
  }

  /** Null ends the body. */
  readonly push = (chunk: Buffer | null): boolean => {
    if (chunk === null || chunk.length >= SMALL) {
      this.#flush()
      return this.#push(chunk)
    }
    if (++this.#count >= MANY && !this.#waits) this.#wait()
    const hasRoom = this.#staged + chunk.length <= STAGE_BYTES || this.#flush()
    this.#stage ??= Buffer.allocUnsafeSlow(STAGE_BYTES)
    chunk.copy(this.#stage, this.#staged)
    this.#staged += chunk.length
    return hasRoom
  }

  #flush(): boolean {
    const staged = this.#stage?.subarray(0, this.#staged)
    this.#stage = null
    this.#staged = 0
    return staged === undefined || this.#push(staged)
  }

  #wait(): void {
    const { socket } = this.#req
    this.#waits = true
    holdReading(socket, 'chunks')
    const goOn = (): void => {
      this.#waits = false
      this.#count = 0
      releaseReading(socket, 'chunks')
    }
    this.#turns.add(subjectOf(socket.remoteAddress ?? ''), goOn, COST_MS)
  }
}

export type GatherChunks = (req: IncomingMessage) => void

/** For requests in chunks, not read from yet. Of all their connections one is read in a turn of the event loop. */
export function createGatherChunks(): GatherChunks {
  const turns = new Turns({ pieces: 1 })
  return (req) => {
    req.push = new ChunkGatherer(req, turns).push
  }
}
