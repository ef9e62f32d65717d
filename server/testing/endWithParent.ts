// The process of a service for tests: the command itself, which stops when the process of the tests is gone, also by a crash, and
// then removes their folder. Arguments: the folder, the command's script, and the arguments of the command.

import { rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [node = '', , folder = '', main = '', ...args] = process.argv

process.once('disconnect', () => {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.kill(process.pid, 'SIGTERM')
})
// The listener alone would keep a service that cannot start.
process.channel?.unref()
process.argv = [node, main, ...args]
await import(pathToFileURL(main).href)
