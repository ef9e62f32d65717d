// Threads of tests run what the build made of the sources, as they do when shipped: to compile TypeScript in each new
// thread takes longer than most of what a thread does in a test.

import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { WorkerEntry } from '../../server/process/workerEntry.ts'

const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))

/** In the place of the function of the same name. */
export function workerEntry(callerUrl: string, name: string): WorkerEntry {
  const folder = relative(root, dirname(fileURLToPath(callerUrl)))
  return pathToFileURL(join(root, '.build', folder, `${name}.js`))
}
