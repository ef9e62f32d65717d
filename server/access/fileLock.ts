// One writer of a file at a time, over processes.

import { basename, dirname } from 'node:path'
import { LockHeld, takeLock } from '../process/index.ts'
import { KeyStoreError } from './keyStoreError.ts'

const PATIENCE = 5_000

/** Within this process writers queue here, in their order. */
const queues = new Map<string, Promise<unknown>>()

/**
 * Runs `work` while holding the lock at `path`. Throws KeyStoreError `busy`, naming the holder, when another process keeps it
 * longer than `patience` milliseconds.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, patience = PATIENCE): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve()
  const turn = before.then(() => lockAndRun(path, work, patience))
  const over = turn.then(
    () => undefined,
    () => undefined,
  )
  queues.set(path, over)
  try {
    return await turn
  } finally {
    if (queues.get(path) === over) queues.delete(path)
  }
}

async function lockAndRun<T>(path: string, work: () => Promise<T>, patience: number): Promise<T> {
  const lock = await takeLock({ folder: dirname(path), name: basename(path) }, patience).catch((error: unknown) => {
    throw error instanceof LockHeld ? busy(error) : error
  })
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

function busy(cause: LockHeld): KeyStoreError {
  const { holder, file } = cause
  const who = holder === null ? 'Another process' : `Process ${holder.pid} on ${holder.host}`
  const text = `${who} is changing the keys. Try again; if it is gone for certain, remove the file ${file}`
  return new KeyStoreError('busy', text, { cause })
}
