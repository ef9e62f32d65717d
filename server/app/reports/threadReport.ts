// Threads the system refuses, in the log: once, and again when that lasts.

import type { Notes } from '../../observe/index.ts'
import { onThreadRefused, SameTrouble } from '../../process/index.ts'

const REFUSED =
  'a thread was refused by the system: work goes on without it, slower, and it is tried again. Raise the limit of ' +
  'threads of the container, the unit or the user (pids.max, TasksMax=, ulimit -u)'

/** Until what is returned is called. */
export function reportRefusedThreads(log: Pick<Notes, 'warn'>): () => void {
  const trouble = new SameTrouble()
  return onThreadRefused(({ message }) => {
    if (trouble.isNew(message)) log.warn({ cause: message }, REFUSED)
  })
}
