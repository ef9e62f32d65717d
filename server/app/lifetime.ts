// One way to stop: the first signal lets running calls finish, the second does not wait. SIGHUP stops a service whose terminal was
// closed; without a terminal, it and SIGUSR2 begin new log files, as for other services, and end nothing.

import type { Log } from '../observe/index.ts'
import { eachStop, endOnSignal, endProcess, hasTerminal, STOP_SIGNALS } from '../process/index.ts'

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

/** `clock`: milliseconds, for signals that come together; only differences count. */
export function stopOnSignal(close: () => Promise<void>, log: Log, clock?: () => number): void {
  let asked = 0
  const end = (code: number) =>
    endProcess(code, () => log.error({}, 'a file is read or written without end, as on a disk that hangs: killed'))
  const begin = (signal: string) => {
    log.info({ signal }, 'stopping: running calls may finish')
    close().then(
      () => end(0),
      (error: unknown) => {
        log.error({ err: error }, 'service did not stop cleanly')
        return end(1)
      },
    )
  }
  const hurry = () => {
    // `exit` waits for a thread of the database to end, and calls no listener of a signal.
    process.once('exit', endOnSignal)
    void end(1)
  }
  const stop = eachStop((signal: string) => {
    asked++
    if (asked === 1) return begin(signal)
    if (asked === 2) return hurry()
    endOnSignal()
    process.kill(process.pid, signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
  }, clock)
  for (const name of STOP_SIGNALS) process.on(name, stop)
  process.on('SIGHUP', () => {
    if (hasTerminal) stop('SIGHUP')
  })
  onParentGone(() => {
    if (asked === 0) stop('end of npm')
  })
}
