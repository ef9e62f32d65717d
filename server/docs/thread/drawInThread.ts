// The thread is started by the first order. Drawing takes 160 ms for the schemas of all methods and up to 170 ms for a page; to start
// the thread takes 300.

import { type Registry, registry } from '../../../shared/registry.ts'
import { startThread, TaskThread, workerEntry } from '../../process/index.ts'
import type { DrawDocument, ServiceFacts } from '../index.ts'
import type { DrawingAnswer, DrawingSetup, DrawingTask } from './drawingThread.ts'

/**
 * Throws for methods that are not the project's: the thread has no others. What it returns rejects with why a document cannot be drawn,
 * or that the thread broke down: another order begins another one. Where the system refuses a thread, drawing holds up the event loop.
 */
export function drawInThread(served: Registry, facts: ServiceFacts, begin = startThread): DrawDocument {
  const all: Registry = registry
  const names = Object.keys(served)
  const foreign = names.find((name) => all[name] !== served[name])
  if (foreign !== undefined) throw new Error(`the thread that draws documents has no ${foreign}`)
  const thread = new TaskThread<DrawingTask, DrawingAnswer>({
    entry: () => workerEntry(import.meta.url, 'drawingThread'),
    data: { names, facts } satisfies DrawingSetup,
    begin,
  })
  return async (order) => {
    if (thread.start() === null) {
      const { createDrawing } = await import('./drawingThread.ts')
      return await createDrawing(served, facts)(order)
    }
    const answer = await thread.run({ order })
    if (answer === null) throw new Error('the thread that draws documents broke down')
    if (answer.failure !== null) throw new Error(answer.failure)
    return answer.texts
  }
}
