// What waits, by caller and by kind of work. Who has used least goes next: callers share what there is evenly, and within one
// caller its kinds of work do, so that its short calls do not wait for its long ones. Items of one kind keep their order.

/** What one of several has used more than the one that has used least, as a number below zero. */
interface Balanced {
  credit: number
}

class Line<T> implements Balanced {
  credit = 0
  readonly items = new Set<T>()
  /** Continues after the last item taken: a new iterator would pass the holes of all items taken before. */
  #first = this.items.values()

  /** Takes out the first item. */
  take(): T | undefined {
    let next = this.#first.next()
    if (next.done === true) {
      this.#first = this.items.values()
      next = this.#first.next()
    }
    if (next.done === true) return undefined
    this.items.delete(next.value)
    return next.value
  }
}

class Share<T> implements Balanced {
  credit = 0
  readonly lines = new Map<string, Line<T>>()
}

export interface Used {
  readonly cost: number
  readonly kind?: string
  /** How much more of its caller's share this kind may use than one of weight 1. */
  readonly weight?: number
}

type MayRun = (subject: string, kind: string) => boolean

/** The first of those that have used least. */
function next<V extends Balanced>(all: ReadonlyMap<string, V>, isReady: (one: V, name: string) => boolean) {
  let found: readonly [string, V] | null = null
  for (const entry of all) {
    const [name, one] = entry
    if ((found !== null && one.credit <= found[1].credit) || !isReady(one, name)) continue
    if (one.credit >= 0) return entry
    found = entry
  }
  return found
}

/** Brings the one that goes next back to zero, and all others as much nearer to it. */
function settle<V extends Balanced>(all: Map<string, V>, { credit: debt }: V, isEmpty: (one: V) => boolean): void {
  if (debt >= 0) return
  for (const [name, one] of all) {
    one.credit = Math.min(0, one.credit - debt)
    if (one.credit === 0 && isEmpty(one)) all.delete(name)
  }
}

/**
 * Most callers that are kept with nothing waiting. A queue that is never empty would otherwise keep every caller there ever
 * was: with 100,000 of them taking an item takes 0.8 ms, and with 2,000 a hundredth.
 */
const MOST_IDLE = 2_000

/** Forgets those with nothing waiting who have used least, once there are too many; `waiting` is at least how many wait. */
function forgetIdle<V extends Balanced>(all: Map<string, V>, waiting: number, isEmpty: (one: V) => boolean): void {
  if (all.size - waiting <= MOST_IDLE) return
  const idle = [...all].filter(([, one]) => isEmpty(one)).sort(([, a], [, b]) => a.credit - b.credit)
  for (const [name] of idle.slice(MOST_IDLE / 2)) all.delete(name)
}

const isEmptyLine = ({ items }: Line<unknown>): boolean => items.size === 0
const isEmptyShare = ({ lines }: Share<unknown>): boolean => [...lines.values()].every(isEmptyLine)

export class FairQueue<T> {
  /** In the order of their turns: who was served goes to the end. Those with nothing waiting stay until they are even. */
  readonly #shares = new Map<string, Share<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(subject: string): number {
    let size = 0
    for (const { items } of this.#shares.get(subject)?.lines.values() ?? []) size += items.size
    return size
  }

  add(subject: string, item: T, kind = ''): void {
    const { items } = this.#lineOf(subject, kind)
    if (items.has(item)) return
    items.add(item)
    this.#size++
  }

  /** False when it does not wait any more. */
  delete(subject: string, item: T): boolean {
    const share = this.#shares.get(subject)
    for (const [kind, line] of share?.lines ?? []) {
      if (!line.items.delete(item)) continue
      this.#size--
      if (isEmptyLine(line) && line.credit === 0) share?.lines.delete(kind)
      this.#leave(subject)
      return true
    }
    return false
  }

  /** The next item that `mayRun` lets pass. */
  take(mayRun: MayRun = always): T | undefined {
    const mayGo = (subject: string) => (line: Line<T>, kind: string) => line.items.size > 0 && mayRun(subject, kind)
    const isReady = ({ lines }: Share<T>, subject: string) => next(lines, mayGo(subject)) !== null
    const found = next(this.#shares, isReady)
    if (found === null) return undefined
    const [subject, share] = found
    const [kind, line] = next(share.lines, mayGo(subject)) ?? []
    if (kind === undefined || line === undefined) return undefined
    settle(this.#shares, share, isEmptyShare)
    settle(share.lines, line, isEmptyLine)
    const item = line.take()
    this.#size--
    share.lines.delete(kind)
    if (line.items.size > 0) share.lines.set(kind, line)
    this.#shares.delete(subject)
    this.#shares.set(subject, share)
    this.#leave(subject)
    return item
  }

  /** An item that was taken has used so much. While nothing waits there is nothing to share. */
  charge(subject: string, { cost, kind = '', weight = 1 }: Used): void {
    if (this.#size === 0) return
    this.#lineOf(subject, kind).credit -= cost / weight
    const share = this.#shares.get(subject)
    if (share === undefined) return
    share.credit -= cost
    forgetIdle(share.lines, this.#size, isEmptyLine)
    forgetIdle(this.#shares, this.#size, isEmptyShare)
  }

  #lineOf(subject: string, kind: string): Line<T> {
    const share = this.#shares.get(subject) ?? new Share<T>()
    this.#shares.set(subject, share)
    const line = share.lines.get(kind) ?? new Line<T>()
    share.lines.set(kind, line)
    return line
  }

  /** Forgets a caller with nothing waiting that owes nothing, and all of them when nothing waits. */
  #leave(subject: string): void {
    if (this.#size === 0) this.#shares.clear()
    const share = this.#shares.get(subject)
    if (share !== undefined && share.credit === 0 && isEmptyShare(share)) this.#shares.delete(subject)
  }
}

const always = (): boolean => true

// Work that waits here ends by the signal of its call, which everything that reads for the call has already: the signal leads
// to the caller, which need not be passed next to it.

const OWNER = Symbol('owner')

/** On the signal itself: each read has one, and a map of them is slow to enter and to clean up. */
type OwnedSignal = AbortSignal & { [OWNER]?: string }

/** From now on, what is done until this signal is aborted is done for this caller. */
export const ownSignal = (signal: OwnedSignal, subject: string): void => {
  signal[OWNER] = subject
}

/** Undefined for a signal of no caller. */
export const ownerOfSignal = (signal: OwnedSignal | undefined): string | undefined => signal?.[OWNER]

/**
 * A map of entries that come and go all the time. When a map grows or shrinks, the table it leaves behind points to the next
 * one: a table that has outlived the young heap keeps all later ones in memory, with the values they had, until the whole heap
 * is searched. Of 80 MB that passed through a map, 67 stayed until then. Here only a small object stays, emptied with its entry.
 */
export class PassingMap<K, V extends object> {
  readonly #entries = new Map<K, { value: V | null }>()

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value ?? undefined
  }

  /** In place of an earlier one of this key. */
  set(key: K, value: V): void {
    this.delete(key)
    this.#entries.set(key, { value })
  }

  delete(key: K): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    entry.value = null
    return this.#entries.delete(key)
  }

  /** Takes all of them out. */
  clear(): V[] {
    const values: V[] = []
    for (const [key, { value }] of this.#entries) {
      if (value !== null) values.push(value)
      this.delete(key)
    }
    return values
  }
}
