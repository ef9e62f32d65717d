// What a start that is refused writes: a sentence for people, or a line like those of the log where JSON is wanted.

import { parseArgs } from 'node:util'
import { ENV_PREFIX } from '../../app/settings/settings.ts'
import { readConfigFile } from '../configFile.ts'
import type { Given } from '../readCommandLine.ts'

const FLAG = 'log-format'

/** Whether JSON is wanted by name. Any other part of the command line may be wrong. */
function wantsJson({ argv, env }: Given): boolean {
  const options = { [FLAG]: { type: 'string' }, config: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...argv], options, strict: false })
  const format = values[FLAG] ?? env[`${ENV_PREFIX}LOG_FORMAT`]
  if (format !== undefined) return format === 'json'
  const file = values.config ?? env[`${ENV_PREFIX}CONFIG`]
  try {
    return readConfigFile(file === undefined ? undefined : String(file)).values.logFormat === 'json'
  } catch {
    return false
  }
}

export function startRefusal(text: string, given: Given): string {
  if (!wantsJson(given)) return `tonrpc: ${text}`
  return JSON.stringify({ level: 'fatal', time: new Date().toISOString(), reason: text, msg: 'start refused' })
}
