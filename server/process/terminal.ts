// Whether a person started this process in a terminal: then the end of that is the end of the process, too.

import { isatty } from 'node:tty'

/** Known before it is closed: then it is none any more. */
export const hasTerminal = [0, 1, 2].some((fd) => isatty(fd))

/** For a start: log rotation does not wait for its end, and without a listener its signals would be that. */
export function outliveRotation(): void {
  for (const signal of hasTerminal ? (['SIGUSR2'] as const) : (['SIGUSR2', 'SIGHUP'] as const))
    process.on(signal, () => undefined)
}
