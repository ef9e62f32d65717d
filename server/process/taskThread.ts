// A thread that is started when it is needed, answers numbered tasks, and ends when it had none for a while.

import type { Worker } from 'node:worker_threads'
import { memoryPlan } from './memory.ts'
import { startThread } from './startThread.ts'
import type { WorkerEntry } from './workerEntry.ts'

const MOST_HEAP_MB = 256
const IDLE_MS = 10_000

interface Numbered {
  readonly number: number
}

export interface TaskThreadParts {
  /** Called when the thread starts. */
  readonly entry: () => WorkerEntry
  readonly data?: unknown
  readonly idleMs?: number | undefined
  readonly begin?: typeof startThread
}

export class TaskThread<T extends Numbered, A extends Numbered> {
  readonly #parts: TaskThreadParts
  readonly #waiting = new Map<number, (answer: A | null) => void>()
  #thread: Worker | null = null
  #isReady = false
  #next = 0
  #idle: NodeJS.Timeout | undefined

  constructor(parts: TaskThreadParts) {
    this.#parts = parts
  }

  get isRunning(): boolean {
    return this.#thread !== null
  }

  /** Whether it has said `ready`, which it may before its first answer. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Tasks without an answer. */
  get pending(): number {
    return this.#waiting.size
  }

  /** Null where the system lets this process have no more threads. */
  start(): Worker | null {
    if (this.#thread !== null) return this.#thread
    const { entry, data, begin = startThread } = this.#parts
    const thread = begin(entry(), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: memoryPlan().youngHeap },
    })
    if (thread === null) return null
    this.#thread = thread
    thread.unref()
    thread.on('message', (answer: A | 'ready') => this.#hear(thread, answer))
    // An error is followed by the exit.
    thread.on('error', () => undefined)
    thread.on('exit', () => this.#gone(thread))
    return thread
  }

  /** The answer; null without a thread, or when it broke down: the next task starts one. Rejects for a task that cannot be sent. */
  async run(task: Omit<T, 'number'>, moved: readonly ArrayBuffer[] = []): Promise<A | null> {
    clearTimeout(this.#idle)
    const thread = this.start()
    if (thread === null) return null
    const number = this.#next++
    return await new Promise((resolve, reject) => {
      try {
        thread.postMessage({ ...task, number }, moved)
        this.#waiting.set(number, resolve)
      } catch (error) {
        this.#endWhenIdle(thread)
        reject(error)
      }
    })
  }

  #hear(thread: Worker, answer: A | 'ready'): void {
    if (answer === 'ready') this.#isReady = true
    else {
      this.#waiting.get(answer.number)?.(answer)
      this.#waiting.delete(answer.number)
    }
    this.#endWhenIdle(thread)
  }

  #endWhenIdle(thread: Worker): void {
    if (this.#waiting.size > 0) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      this.#gone(thread)
      void thread.terminate()
    }, this.#parts.idleMs ?? IDLE_MS).unref()
  }

  #gone(thread: Worker): void {
    if (this.#thread !== thread) return
    clearTimeout(this.#idle)
    this.#thread = null
    this.#isReady = false
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const answer of left) answer(null)
  }
}
