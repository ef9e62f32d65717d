// The thread is started by the first order and ends when it had none for a while. Drawing takes 160 ms for the schemas of all
// methods and up to 170 ms for a page; to start the thread takes 300.

import { Worker } from 'node:worker_threads'
import { type Registry, registry } from '../../../shared/registry.ts'
import { memoryPlan, workerEntry } from '../../process/index.ts'
import type { DocumentOrder, DrawDocument, ServiceFacts } from '../index.ts'
import type { DrawingAnswer, DrawingSetup, DrawingTask } from './drawingThread.ts'

const MOST_HEAP_MB = 256
const IDLE_MS = 10_000

interface Waiting {
  readonly resolve: (texts: readonly string[]) => void
  readonly reject: (error: Error) => void
}

class DrawingThread {
  readonly #setup: DrawingSetup
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | null = null
  #next = 0
  #idle: NodeJS.Timeout | undefined

  constructor(setup: DrawingSetup) {
    this.#setup = setup
  }

  /** Rejects with why it cannot be drawn, or that the thread broke down: another order begins another one. */
  drawn(order: DocumentOrder): Promise<readonly string[]> {
    clearTimeout(this.#idle)
    const thread = this.#thread ?? this.#start()
    const number = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      thread.postMessage({ number, order } satisfies DrawingTask)
    })
  }

  #start(): Worker {
    const thread = new Worker(workerEntry(import.meta.url, 'drawingThread'), {
      workerData: this.#setup,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: memoryPlan().youngHeap },
    })
    this.#thread = thread
    thread.unref()
    thread.on('message', ({ number, texts, failure }: DrawingAnswer) => {
      if (failure === null) this.#waiting.get(number)?.resolve(texts)
      else this.#waiting.get(number)?.reject(new Error(failure))
      this.#waiting.delete(number)
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(thread), IDLE_MS).unref()
    })
    // An error is followed by the exit.
    thread.on('error', () => undefined)
    thread.on('exit', () => this.#gone(thread))
    return thread
  }

  #end(thread: Worker): void {
    this.#gone(thread)
    void thread.terminate()
  }

  #gone(thread: Worker): void {
    if (this.#thread !== thread) return
    clearTimeout(this.#idle)
    this.#thread = null
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of left) reject(new Error('the thread that draws documents broke down'))
  }
}

/** Throws for methods that are not the project's: the thread has no others. */
export function drawInThread(served: Registry, facts: ServiceFacts): DrawDocument {
  const all: Registry = registry
  const names = Object.keys(served)
  const foreign = names.find((name) => all[name] !== served[name])
  if (foreign !== undefined) throw new Error(`the thread that draws documents has no ${foreign}`)
  const thread = new DrawingThread({ names, facts })
  return (order) => thread.drawn(order)
}
