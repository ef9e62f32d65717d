// Where a process of this project starts, whether the sources run as they are or compiled.

import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

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
 * The folder to start it in: that of this process, or the program's own when that was removed, as the folder of an older
 * release is. There a process of Node ends with the first module that reads its current folder.
 */
export function folderFor({ path }: ProcessEntry): string | undefined {
  try {
    realpathSync.native('.')
    return undefined
  } catch {
    return dirname(path)
  }
}
