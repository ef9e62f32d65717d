// Where a worker thread of this project starts, whether the sources run as they are or compiled.

import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { leaveRemovedFolder } from './processEntry.ts'

/** First argument of `new Worker`. Start the thread with `execArgv: []`: flags of this process are not for it. */
export type WorkerEntry = URL

// Node 20 cannot read TypeScript, and the loader's flag `--import tsx` does nothing in a worker thread: its programming
// interface does. It is reached by path because a data URL has no packages around it.
function sourceEntry(source: URL, callerUrl: string): WorkerEntry {
  const tsx = pathToFileURL(createRequire(callerUrl).resolve('tsx/package.json'))
  const script = `
    import { tsImport } from ${JSON.stringify(new URL('./dist/esm/api/index.mjs', tsx).href)}
    await tsImport(${JSON.stringify(source.href)}, ${JSON.stringify(callerUrl)})`
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`)
}

/**
 * Finds the file `name` next to the caller, with the caller's ending: `workerEntry(import.meta.url, 'worker')`. To be called just
 * before the thread starts.
 */
export function workerEntry(callerUrl: string, name: string): WorkerEntry {
  leaveRemovedFolder(fileURLToPath(callerUrl))
  const fromSources = new URL(callerUrl).pathname.endsWith('.ts')
  if (!fromSources) return new URL(`./${name}.js`, callerUrl)
  return sourceEntry(new URL(`./${name}.ts`, callerUrl), callerUrl)
}
