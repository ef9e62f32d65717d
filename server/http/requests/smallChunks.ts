// Bodies in chunks. A client may put each byte into a chunk of its own: Node hands over ten thousand of them in one go, which takes
// ten milliseconds, and each is a buffer of 370 bytes. Small ones are copied together, and a connection with many waits for its turn.

import type { IncomingMessage } from 'node:http'
import { subjectOf } from '../../access/index.ts'
import { Turns } from '../../fairness/index.ts'
import { holdReading, releaseReading } from './heldReading.ts'
import { SMALL_PART, SmallParts } from './smallParts.ts'

/** Number of small chunks after which the connection waits for its turn. */
const MANY = 512
/** Milliseconds that Node needs for the chunks it emits at once. */
const COST_MS = 5

class ChunkGatherer {
  readonly #req: IncomingMessage
  readonly #push: IncomingMessage['push']
  readonly #turns: Turns
  readonly #small = new SmallParts()
  #count = 0
  #waits = false

  constructor(req: IncomingMessage, turns: Turns) {
    this.#req = req
    this.#push = req.push.bind(req)
    this.#turns = turns
  }

  /** Null ends the body. */
  readonly push = (chunk: Buffer | null): boolean => {
    if (chunk === null || chunk.length >= SMALL_PART) {
      this.#flush()
      return this.#push(chunk)
    }
    if (++this.#count >= MANY && !this.#waits) this.#wait()
    const hasRoom = this.#small.fits(chunk) || this.#flush()
    this.#small.add(chunk)
    return hasRoom
  }

  #flush(): boolean {
    const piece = this.#small.take()
    return piece === null || this.#push(piece)
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
