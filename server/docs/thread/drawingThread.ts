// The thread that draws documents, one after the other.

import { parentPort, workerData } from 'node:worker_threads'
import { type Registry, registry } from '../../../shared/registry.ts'
import { createDrawing } from '../createDrawing.ts'
import type { DocumentOrder, ServiceFacts } from '../index.ts'

export interface DrawingSetup {
  /** Of the methods that are described. */
  readonly names: readonly string[]
  readonly facts: ServiceFacts
}

export interface DrawingTask {
  readonly number: number
  readonly order: DocumentOrder
}

export interface DrawingAnswer {
  readonly number: number
  readonly texts: readonly string[]
  /** Why it cannot be drawn. */
  readonly failure: string | null
}

/** For a process whose thread the system refuses: it draws by itself, with the file that the thread would have loaded. */
export { createDrawing }

if (parentPort !== null) {
  const port = parentPort
  // The cast: the starter of this thread passes one.
  const { names, facts } = workerData as DrawingSetup
  const all: Registry = registry
  const draw = createDrawing(Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : []))), facts)
  let last = Promise.resolve()
  const answer = async ({ number, order }: DrawingTask): Promise<void> => {
    let said: Omit<DrawingAnswer, 'number'>
    try {
      said = { texts: await draw(order), failure: null }
    } catch (error) {
      said = { texts: [], failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
    port.postMessage({ number, ...said } satisfies DrawingAnswer)
  }
  port.on('message', (task: DrawingTask) => {
    last = last.then(() => answer(task))
  })
}
