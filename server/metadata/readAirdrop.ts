// Dictionaries are read in a thread of their own: one of some megabytes would block the event loop.

import { once } from 'node:events'
import { boundedTime, memoryPlan, startThread, workerEntry } from '../process/index.ts'
import type { AirdropAmount } from '../store/index.ts'
import type { AirdropPart, AirdropTask } from './airdropThread.ts'
import { FetchError } from './fetchError.ts'

const MOST_MEMORY_MB = 256
const LONGEST_MS = 60_000

/** The amounts in parts. Throws FetchError: `refused` for what is no dictionary with this hash, when it comes to that. */
export async function* readAirdrop(
  bytes: Uint8Array,
  root: Uint8Array,
  signal: AbortSignal,
): AsyncGenerator<readonly AirdropAmount[]> {
  const workerData: AirdropTask = { bytes, root }
  const thread = startThread(workerEntry(import.meta.url, 'airdropThread'), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: memoryPlan().youngHeap },
  })
  if (thread === null) throw new FetchError('failed', 'no thread can be started that would read the dictionary')
  // Until the thread has ended: an error event without a listener, as of a thread out of memory while it is stopped, ends the process.
  const trouble: Error[] = []
  thread.on('error', (error) => trouble.push(error))
  const bound = boundedTime(LONGEST_MS, signal)
  const next = async (): Promise<AirdropPart> => {
    if (trouble[0] !== undefined) throw trouble[0]
    thread.postMessage('next')
    // The cast: the thread says nothing else.
    const [part] = (await once(thread, 'message', { signal: bound.signal })) as [AirdropPart]
    return part
  }
  try {
    for (;;) {
      const part = await next()
      if ('refused' in part) throw new FetchError('refused', part.refused)
      if (part.amounts.length === 0) return
      yield part.amounts
    }
  } catch (cause) {
    if (cause instanceof FetchError) throw cause
    // It may have been the machine's fault.
    throw new FetchError('failed', 'reading the dictionary failed before its end', { cause })
  } finally {
    bound.done()
    await thread.terminate()
  }
}
