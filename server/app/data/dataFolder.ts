// Whether the data folder can be used, found before anything is opened in it.

import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { KEY_FILE } from '../../access/index.ts'
import { isBackup, isRestoreCut } from '../../backup/noDataFolder.ts'
import { diskFailure, failureText, hasCode, shellWord } from '../../process/index.ts'

/** Makes the folder. Null when it can be written to, else the reason as text. */
export function dataProblem(data: string): string | null {
  const folder = resolve(data)
  try {
    const existing = nearestThing(folder)
    if (!statSync(existing).isDirectory()) return `${existing} is a file: name a folder for the data with --data`
    // One by one: where no folder can be made, as in /proc, Node would try to make all of them for ever.
    for (const path of missing(folder, existing)) mkdirSync(path, { mode: 0o700 })
    if (isRestoreCut(folder)) return `a restore into ${folder} was cut short: run it again, or remove the folder`
    if (isBackup(folder)) return `${folder} is a backup, which a service would change: ${waysFrom(folder)}`
    rmdirSync(mkdtempSync(join(folder, '.tonrpc-')))
    for (const name of READ_LATER) {
      const problem = readingProblem(join(folder, name))
      if (problem !== null) return problem
    }
    return null
  } catch (error) {
    return `${folder} cannot be used for the data: ${diskFailure(error) ?? failureText(error)}; name another folder with --data`
  }
}

const waysFrom = (backup: string): string =>
  `tonrpc restore ${shellWord(backup)} --data FOLDER makes a data folder of it; to start in a copy made by hand, remove its manifest.json`

/** Files that root may have made, as by a command with sudo. Nobody would notice before a caller has a key, or usage is stored. */
const READ_LATER = [KEY_FILE, 'keys-usage.json', 'keys-used.json', 'names.json']

function readingProblem(path: string): string | null {
  try {
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    return `${path} cannot be read: ${diskFailure(error) ?? failureText(error)}; give it to the user of the service, or choose another folder with --data`
  }
}

function nearestThing(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at) || at === dirname(at)) return at
  }
}

function missing(folder: string, existing: string): readonly string[] {
  const paths: string[] = []
  for (let path = folder; path !== existing; path = dirname(path)) paths.unshift(path)
  return paths
}
