// The time of the event loop, shared between callers. A piece of work runs at once while little was done in this turn of
// the loop; what comes beyond that waits for later turns, and callers have the same time each.
//
// A turn begins with the steps that waited for it, and ends where the next one begins: all queues and all long work in it share its
// time. With a slice of their own each, queues and the answers of a database made turns of 20 ms.

import { FairQueue } from './fairQueue.ts'

/** Other callers' requests are read between two turns. */
export const SLICE_MS = 4

/** True when it goes on in this turn. Its promises settle before it or another step runs, so that what a step leads to is measured with it. */
type Step = () => boolean

let began: number | null = null
/** Counts the turns. */
let turn = 0
/** Those of the next turn. */
let first: Step[] = []
let others: Step[] = []
/** Those of this turn that have not ended. */
let steps: Step[] = []

/** When the work of this turn began: now, if this is the first of it. */
export function turnBegan(): number {
  if (began === null) {
    began = performance.now()
    const own = ++turn
    setImmediate(() => {
      if (turn === own) began = null
    })
  }
  return began
}

/** Work waits for so many turns while further connections arrive, and no longer than a slice: with them come requests. */
const MOST_PASSED = 8
let passed = 0
let passedSince = 0
let hasArrived = false

/** Notes a new connection. Node accepts one a turn: between full turns of work some hundred of them took seconds. */
export function noteArrival(): void {
  if (first.length + others.length > 0) hasArrived = true
}

/** Runs a step when the next turn begins; those that go first before all others, else in the order of the calls. */
export function atNextTurn(step: Step, goesFirst = false): void {
  if (first.length + others.length === 0) setImmediate(begin)
  if (goesFirst) first.push(step)
  else others.push(step)
}

function mayPass(): boolean {
  const now = performance.now()
  if (passed === 0) passedSince = now
  return passed++ < MOST_PASSED && now - passedSince < SLICE_MS
}

function begin(): void {
  const isHeldUp = hasArrived && mayPass()
  hasArrived = false
  if (isHeldUp) return void setImmediate(begin)
  passed = 0
  // An error that nothing caught may have left some.
  steps = [...[...first, ...others].reverse(), ...steps]
  first = []
  others = []
  began = null
  run()
}

function run(): void {
  const step = steps.pop()
  if (step === undefined) return
  let goesOn = true
  try {
    goesOn = step()
  } finally {
    if (goesOn) steps.push(step)
    if (steps.length > 0) queueMicrotask(afterPromises)
  }
}

/** What a microtask leaves for the next tick runs after all other microtasks. */
const afterPromises = (): void => process.nextTick(run)

export interface TurnLimits {
  /** Pieces that may run at once in one turn, and again from the queue. */
  readonly pieces: number
  /** Milliseconds of a turn, with all other work in it, after which no further piece is started. */
  readonly sliceMs: number
  /** Milliseconds it has in each turn, whatever other work has taken: the turns of a busy process are used up by what comes in. */
  readonly ownMs: number
  /** Whether it goes before other queues in each turn: for what is short. */
  readonly goesFirst: boolean
}

const DEFAULTS: TurnLimits = { pieces: 16, sliceMs: SLICE_MS, ownMs: 0, goesFirst: false }

/** Milliseconds a piece is charged for at most: it takes seconds when the process is interrupted meanwhile. */
const MOST_COST = 10 * SLICE_MS

interface Piece {
  readonly subject: string
  readonly work: () => void
  /** Null for what the work takes. */
  readonly cost: number | null
  readonly kind: PieceKind
}

/** Work of `whole turn` may fill a turn: it begins only as the first of a turn, and the turn ends after it. */
type PieceKind = 'usual' | 'whole turn'

const isUsual = (_: string, kind: string): boolean => kind === 'usual'

export class Turns {
  readonly #limits: TurnLimits
  readonly #queue = new FairQueue<Piece>()
  /** Pieces that ran at once, and in which turn. */
  #begun = 0
  #begunIn = 0
  #armed = false
  /** Of the queue, in this turn: pieces that may still run and until when, and the last one with its beginning. */
  #left = 0
  #end = 0
  #running: Piece | null = null
  #since = 0

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits }
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Now or in a later turn. `work` must not throw. */
  run(subject: string, work: () => void): void {
    if (!this.tryRun(work)) this.add(subject, work)
  }

  /** Runs it now, or returns false when its turn would be a later one. */
  tryRun(work: () => void): boolean {
    if (this.#queue.size > 0 || !this.#hasTime()) return false
    turnBegan()
    if (this.#begunIn !== turn) [this.#begunIn, this.#begun] = [turn, 0]
    if (this.#begun >= this.#limits.pieces) return false
    this.#begun++
    work()
    return true
  }

  /** In a later turn. */
  add(subject: string, work: () => void, cost: number | null = null, kind: PieceKind = 'usual'): void {
    this.#queue.add(subject, { subject, work, cost, kind }, kind)
    this.#arm()
  }

  /** The first piece of a turn always runs. */
  #hasTime(): boolean {
    return began === null || performance.now() < turnBegan() + this.#limits.sliceMs
  }

  /** Resolves in a later turn, when it is this caller's. `cost` is for work that takes as much each time. */
  next(subject: string, cost: number | null = null, kind: PieceKind = 'usual'): Promise<void> {
    return new Promise((resolve) => this.add(subject, resolve, cost, kind))
  }

  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    atNextTurn(this.#turn, this.#limits.goesFirst)
  }

  /** Called for each piece, and once more: what a piece has cost is known when its promises have settled. */
  readonly #turn = (): boolean => {
    const now = performance.now()
    const last = this.#running
    if (last === null) {
      this.#end = Math.max(now + this.#limits.ownMs, turnBegan() + this.#limits.sliceMs)
      // What is added from now on waits for another turn.
      this.#left = Math.min(this.#limits.pieces, this.#queue.size)
    } else {
      const cost = last.cost ?? Math.min(MOST_COST, now - this.#since)
      this.#queue.charge(last.subject, { cost, kind: last.kind })
    }
    const hasTime = last === null || now < this.#end
    const piece = hasTime && this.#left > 0 ? this.#queue.take(last === null ? undefined : isUsual) : undefined
    this.#running = piece ?? null
    if (piece === undefined) {
      this.#armed = false
      if (this.#queue.size > 0) this.#arm()
      return false
    }
    this.#left = piece.kind === 'usual' ? this.#left - 1 : 0
    this.#since = now
    piece.work()
    return true
  }
}
