// Where a process of this project starts, whether the sources run as they are or compiled.

import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** For `fork`. */
export interface ProcessEntry {
  readonly path: string
  readonly execArgv: readonly string[]
}

/** Finds the file `name` next to the caller, with the caller's ending: `processEntry(import.meta.url, 'apiWorker')`. */
export function processEntry(callerUrl: string, name: string): ProcessEntry {
  const fromSources = new URL(callerUrl).pathname.endsWith('.ts')
  const path = fileURLToPath(new URL(`./${name}.${fromSources ? 'ts' : 'js'}`, callerUrl))
  const loader = () => pathToFileURL(createRequire(callerUrl).resolve('tsx')).href
  return { path, execArgv: fromSources ? ['--import', loader()] : [] }
}

/**
 * Changes to the folder of the program when the current one has been removed, as that of an older release is. In a removed
 * folder a new process or thread of Node ends with the first module that reads its current folder.
 */
export function leaveRemovedFolder(programPath: string): void {
  if (!isMainThread) return
  try {
    realpathSync.native('.')
  } catch {
    process.chdir(dirname(programPath))
  }
}
