// One way to stop: the first signal lets running calls finish, the second does not wait. SIGHUP stops a service whose terminal was
// closed; without a terminal, it and SIGUSR2 begin new log files, as for other services, and end nothing.

import type { Log } from '../observe/index.ts'
import { hasTerminal } from '../process/index.ts'

const PARENT_CHECK_MS = 250

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
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping: running calls may finish')
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'service did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('SIGHUP', () => {
    if (hasTerminal) stop('SIGHUP')
  })
  onParentGone(() => {
    if (!stopping) stop('end of npm')
  })
}
