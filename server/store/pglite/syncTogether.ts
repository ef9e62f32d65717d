// Many files brought to the disk by two sides at once: the thread of the database, and two of the four threads that Node has for
// the files of the whole process. With all four, on a slow disk nothing else of the process could be read or written meanwhile.

import { inParallel } from '../../process/index.ts'

/** Shared by both sides: the next file that neither has begun, and the outcome of the process. */
export type SharedSyncState = Int32Array<SharedArrayBuffer>

const NEXT = 0
const OUTCOME = 1
const SYNCED = 1
const NOT_SYNCED = 2

const LANES = 2

export const beginProgress = (): SharedSyncState =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

function* shareOf(files: readonly number[], progress: SharedSyncState): Generator<number> {
  for (;;) {
    const file = files[Atomics.add(progress, NEXT, 1)]
    if (file === undefined) return
    yield file
  }
}

/** The share of the process. Never rejects: the outcome is in `progress`. */
export async function syncShare(
  { files, progress }: { readonly files: readonly number[]; readonly progress: SharedSyncState },
  sync: (file: number) => Promise<void>,
): Promise<void> {
  let isSynced = true
  await inParallel(shareOf(files, progress), LANES, (file) =>
    sync(file).catch(() => {
      isSynced = false
    }),
  )
  Atomics.store(progress, OUTCOME, isSynced ? SYNCED : NOT_SYNCED)
  Atomics.notify(progress, OUTCOME)
}

/** The share of the thread, which then waits for the process. Throws when a file of either is not on the disk. */
export function syncShareInThread(
  files: readonly number[],
  progress: SharedSyncState,
  sync: (file: number) => void,
): void {
  let failure: unknown = null
  for (const file of shareOf(files, progress)) {
    try {
      sync(file)
    } catch (error) {
      failure ??= error
    }
  }
  Atomics.wait(progress, OUTCOME, 0)
  if (failure !== null || Atomics.load(progress, OUTCOME) !== SYNCED)
    throw new Error('files of the database could not be written to the disk', { cause: failure })
}
