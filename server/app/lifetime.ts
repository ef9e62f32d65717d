// One way to stop: the first signal lets running calls finish, the second does not wait. SIGHUP stops a service whose terminal was
// closed; without a terminal, it and SIGUSR2 begin new log files, as for other services, and end nothing.

import type { Log } from '../observe/index.ts'
import { endProcess, hasTerminal } from '../process/index.ts'

const PARENT_CHECK_MS = 250
const STOPS = ['SIGINT', 'SIGTERM'] as const

/**
 * npm and npx start a program through a shell, which dies of a signal without passing it on: the service would keep running
 * and hold its port. There, the end of the shell counts as the signal.
 */
function onParentGone(notify: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    notify()
  }, PARENT_CHECK_MS)
  watch.unref()
}

export function stopOnSignal(close: () => Promise<void>, log: Log): void {
  let stopping = false
  const end = (code: number) =>
    endProcess(code, () => log.error({}, 'a file is read or written without end, as on a disk that hangs: killed'))
  const stop = (signal: string) => {
    if (stopping) {
      // The next one ends the process at once, also where it waits for a thread of its database to end.
      for (const name of STOPS) process.removeAllListeners(name)
      return void end(1)
    }
    stopping = true
    log.info({ signal }, 'stopping: running calls may finish')
    close().then(
      () => end(0),
      (error: unknown) => {
        log.error({ err: error }, 'service did not stop cleanly')
        return end(1)
      },
    )
  }
  for (const name of STOPS) process.on(name, stop)
  process.on('SIGHUP', () => {
    if (hasTerminal) stop('SIGHUP')
  })
  onParentGone(() => {
    if (!stopping) stop('end of npm')
  })
}
