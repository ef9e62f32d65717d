// A dump may be restored into the database of a process that writes the index and has nothing to write: it would answer from
// tables that are still empty. It looks whether they are, and begins again when they are whole.

import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareText, type Database, readBareTable } from '../store/index.ts'
import { IndexerError } from './indexerError.ts'

const LOOK_MS = 1_000

/** Settles as the work does, whose signal aborts when a dump is being restored; rejects with IndexerError `restoring` then. */
export async function whileWhole(
  { kind, read }: Pick<Database, 'kind' | 'read'>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  // Every call in flight to the node and to contracts listens to them, and there may be many.
  setMaxListeners(0, signal)
  // No dump is restored into the embedded database.
  if (kind === 'pglite') return await work(signal)
  const restored = new AbortController()
  const over = new AbortController()
  const own = AbortSignal.any([signal, restored.signal])
  setMaxListeners(0, own)
  const looking = look(read, AbortSignal.any([signal, over.signal]), restored)
  try {
    await work(own)
  } catch (error) {
    restored.signal.throwIfAborted()
    throw error
  } finally {
    over.abort()
    await looking
  }
  restored.signal.throwIfAborted()
}

/** Looks until the signal aborts, or a table without its index was found. */
async function look(read: Database['read'], signal: AbortSignal, restored: AbortController): Promise<void> {
  while (!signal.aborted && !restored.signal.aborted) {
    await sleep(LOOK_MS, null, { signal }).catch(() => null)
    // A database that does not answer is the trouble of what works with it.
    const table = await readBareTable(read, { signal, retries: false }).catch(() => null)
    if (table !== null) restored.abort(new IndexerError('restoring', bareText(table)))
  }
}
