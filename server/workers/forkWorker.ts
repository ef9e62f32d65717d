// Starts a worker process with a pipe to it.

import { type ChildProcess, fork } from 'node:child_process'
import { leaveRemovedFolder, type ProcessEntry } from '../process/index.ts'
import { youngHeapFlags } from './youngHeapFlags.ts'

/** Index in `stdio` of our pipe; the one before it is Node's, for passing connections. */
export const PIPE = 4

export interface WorkerProcess {
  readonly entry: ProcessEntry
  /** Heap of a worker, and each half of its part for what was just made, in megabytes. */
  readonly heapMb: number
  readonly youngHeapMb: number
}

/** Null when there is none, as with too many open files or processes; `onError` is called with that, or with what goes wrong later. */
export function forkWorker(
  { entry, heapMb, youngHeapMb }: WorkerProcess,
  onError: (error: unknown) => void,
): ChildProcess | null {
  try {
    leaveRemovedFolder(entry.path)
    const child = fork(entry.path, [], {
      execArgv: [...entry.execArgv, ...youngHeapFlags(youngHeapMb), `--max-old-space-size=${heapMb}`],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    })
    child.on('error', onError)
    return child.pid === undefined ? null : child
  } catch (error) {
    onError(error)
    return null
  }
}
