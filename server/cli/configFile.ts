// The config file: one JSON object with settings of the service in camelCase.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { failureText, hasCode } from '../process/index.ts'
import { UsageError } from './commandErrors.ts'
import { settings } from './flags.ts'
import { meantWord, nearest } from './nearestWord.ts'
import { type Layer, LISTED, quoted } from './settingWords.ts'

/** The file looked for in the current folder when none is named. */
export const DEFAULT_FILE = 'tonrpc.config.json'

function readJson(path: string): unknown {
  let text: string
  try {
    if (statSync(path).isDirectory()) throw new UsageError(`config file ${path} is a folder`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    const missing = hasCode(error, 'ENOENT')
    const why = missing ? 'does not exist' : `cannot be read: ${failureText(error)}`
    throw new UsageError(`config file ${path || '""'} ${why}`, { cause: error })
  }
  try {
    // Some editors put a byte order mark first.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // Only the start of the parser's message: the rest repeats the content of the file.
    const why = failureText(error).split(/, (?:\.{3})?"/)[0]
    throw new UsageError(`config file ${path} is not JSON: ${why}`, { cause: error })
  }
}

/** A block, which is text because it may be a time, may be the number it mostly is. */
function asTaken(name: string, value: unknown): unknown {
  const isBlock = settings.some((setting) => setting.name === name && setting.takes === 'block')
  return isBlock && typeof value === 'number' ? String(value) : value
}

/** Settings of the named file, or of the default one when it exists. Throws UsageError. */
export function readConfigFile(named: string | undefined): Layer {
  const path = named ?? DEFAULT_FILE
  const where = ` in config file ${path}`
  if (named === undefined && !existsSync(path)) return { where, values: {} }
  const value = readJson(path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`config file ${path} must hold one JSON object`)
  }
  const unknown = Object.keys(value).find((name) => !settings.some((setting) => setting.name === name))
  if (unknown !== undefined) {
    const meant = nearest(
      unknown,
      settings.map(({ name }) => name),
    )
    throw new UsageError(
      `unknown setting ${quoted(unknown)}${where}${meantWord(meant && quoted(meant))}: ${LISTED}, here in camelCase`,
    )
  }
  return { where, values: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTaken(name, one)])) }
}
