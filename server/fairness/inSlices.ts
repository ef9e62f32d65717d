// Long work of many pieces, such as the text of a page of a thousand rows. All such work in the process shares one slice
// of time in each turn of the event loop, and callers are served in turn.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ownerOfSignal } from './fairQueue.ts'
import { SLICE_MS, Turns, turnBegan } from './turns.ts'

/** What begins or goes on in a turn has so much, whatever others have used: enough for a short list. */
const SHORT_MS = 1
/** Of a turn, after which what begins rests first: answers of a database come many at a time. */
const FULL_MS = 1.5 * SLICE_MS

/** Of many short ones several go on in a turn. One a turn made pages of ten rows wait for 20 turns beside long ones. */
const turns = new Turns({ ownMs: 2 * SHORT_MS })
/** Callers have as many slices each, however long they are. */
const ONE_SLICE = 1

/** The end of the slice that work which begins now shares with what began before it in this turn. */
function endOfSlice(sliceMs: number): number {
  const began = turnBegan()
  const now = performance.now()
  const short = now >= began + FULL_MS ? now : now + Math.min(SHORT_MS, sliceMs)
  return turns.waiting > 0 ? short : Math.max(short, began + sliceMs)
}

export interface Slicing {
  /** Keeps callers out: work for one ends with the call, which is passed instead. */
  readonly keyId?: never
  /** Whose work it is; by default that of the owner of the signal. */
  readonly subject?: string | undefined
  readonly sliceMs?: number
  /** Whether it goes on in the next turn whatever else waits: for what the next block of the chain waits for. */
  readonly isPrompt?: boolean
  /** Once it is aborted the work ends at its next rest, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** When work of many pieces has to rest. */
interface Rests {
  readonly isDue: boolean
  rest(): Promise<void>
}

/** Work whose pieces come one by one, such as the pages of a walk. */
export class SlicedWork implements Rests {
  readonly #subject: string
  readonly #sliceMs: number
  readonly #isPrompt: boolean
  readonly #signal: AbortSignal | undefined
  /** Of its slice: the turn it is of, and its end. */
  #turn: number
  #end: number

  constructor({ signal, subject = ownerOfSignal(signal) ?? '', sliceMs = SLICE_MS, isPrompt = false }: Slicing = {}) {
    this.#subject = subject
    this.#sliceMs = sliceMs
    this.#isPrompt = isPrompt
    this.#signal = signal
    this.#turn = turnBegan()
    this.#end = endOfSlice(sliceMs)
  }

  /**
   * Whether its slice of this turn is used up, so that it should `rest` before the next piece. After a wait for something else, such as
   * an answer, it has a slice of the turn in which that came.
   */
  get isDue(): boolean {
    if (performance.now() < this.#end) return false
    const turn = turnBegan()
    if (turn === this.#turn) return true
    this.#turn = turn
    this.#end = endOfSlice(this.#sliceMs)
    return performance.now() >= this.#end
  }

  /** Resolves when the work may go on. */
  rest(): Promise<void> {
    return this.#rest('usual')
  }

  /** The same before work that may take a whole slice: in one turn only one of these goes on. */
  ownTurn(): Promise<void> {
    return this.#rest('whole turn')
  }

  async #rest(kind: 'usual' | 'whole turn'): Promise<void> {
    await (this.#isPrompt ? nextTurn() : turns.next(this.#subject, ONE_SLICE, kind))
    this.#signal?.throwIfAborted()
    this.#turn = turnBegan()
    this.#end = Math.max(performance.now() + Math.min(SHORT_MS, this.#sliceMs), this.#turn + this.#sliceMs)
  }
}

/** Goes through `pieces` to their end, with rests between them. */
export async function inPieces<R>(pieces: Generator<void, R>, slicing: Slicing | Rests = {}): Promise<R> {
  const rests = 'rest' in slicing ? slicing : new SlicedWork(slicing)
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
    if (rests.isDue) await rests.rest()
  }
}

/** What `work` makes of each item, in order. */
export async function inSlices<T, R>(
  items: readonly T[],
  work: (item: T) => R,
  slicing: Slicing | SlicedWork = {},
): Promise<R[]> {
  const slices = slicing instanceof SlicedWork ? slicing : new SlicedWork(slicing)
  const made: R[] = []
  for (const item of items) {
    if (slices.isDue) await slices.rest()
    made.push(work(item))
  }
  return made
}

/** To look at the clock takes half a microsecond. */
const FEW_LIGHT = 500

/** The same for work of a microsecond or two: few items are gone through at once. */
export const lightInSlices = <T, R>(
  items: readonly T[],
  work: (item: T) => R,
  slicing?: Slicing | SlicedWork,
): R[] | Promise<R[]> => (items.length > FEW_LIGHT ? inSlices(items, work, slicing) : items.map((item) => work(item)))
