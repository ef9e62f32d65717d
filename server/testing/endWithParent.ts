// A process of the command for tests: it stops when the process of the tests is gone, also by a crash, and then removes their
// folder. Arguments: the folder, the command's script, and the arguments of the command.

import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [node = '', , folder = '', main = '', ...args] = process.argv

/** After that a service that has not stopped is ended. */
const STOP_MS = 60_000
const POLL_MS = 50
/** Ctrl-C reaches the whole process group: a service may end of it before its tests do. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Not by a real signal, which ends without `exit` what has no listener yet, and on Windows everything. */
function stop(): void {
  if (!process.emit('SIGTERM', 'SIGTERM')) setTimeout(stop, POLL_MS).unref()
}

function removeAtExit(): void {
  for (const signal of SIGNALS) process.off(signal, onSignal)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

/** A service that has no listener of its own yet ends at once, as it would without this one. */
function onSignal(signal: NodeJS.Signals): void {
  removeAtExit()
  if (process.listenerCount(signal) === 0) process.exit(1)
}
for (const signal of SIGNALS) process.once(signal, onSignal)

process.once('disconnect', () => {
  removeAtExit()
  setTimeout(() => process.exit(1), STOP_MS).unref()
  stop()
})
// The listener alone would keep a service that cannot start.
process.channel?.unref()
process.argv = [node, main, ...args]
await import(pathToFileURL(main).href)
