// The table of settings in the guide comes from the settings themselves. Run as a script it writes it there.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { settingsTable } from '../../server/cli/help.ts'

const BEGIN = '<!-- settings -->'
const END = '<!-- /settings -->'

export const settingsFile = 'server/docs/guides/configuration.md'

/** The same text with the table as it is now. Throws when its place is not marked. */
export function withSettings(text: string): string {
  const from = text.indexOf(BEGIN)
  const to = text.indexOf(END)
  if (from < 0 || to < from) throw new Error(`${settingsFile} has no ${BEGIN} ... ${END}`)
  return `${text.slice(0, from + BEGIN.length)}\n\n${settingsTable()}\n\n${text.slice(to)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(fileURLToPath(new URL('../..', import.meta.url)), settingsFile)
  writeFileSync(path, withSettings(readFileSync(path, 'utf8')))
}
