// All commands, in the order the help lists them.

import { backupCommand } from './backup/command.ts'
import { classifyCommand } from './classify/command.ts'
import type { Command } from './command.ts'
import { doctorCommand } from './doctor/command.ts'
import { keysCommand } from './keys/command.ts'
import { migrateCommand } from './migrate/command.ts'
import { openCommand } from './open/command.ts'
import { plansCommand } from './plans/command.ts'
import { restoreCommand } from './restore/command.ts'
import { seedCommand } from './seed/command.ts'
import { startCommand } from './start/command.ts'
import { webhooksCommand } from './webhooks/command.ts'

const COMMANDS: readonly Command[] = [
  openCommand,
  keysCommand,
  plansCommand,
  webhooksCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  seedCommand,
  doctorCommand,
  classifyCommand,
]

export const start = startCommand(COMMANDS)

/** What may come first, before the command it is about. */
const FIRST_WORDS: ReadonlyMap<string | undefined, string> = new Map([
  ['help', '--help'],
  ['--help', '--help'],
  ['-h', '--help'],
  ['version', '--version'],
])

/** The command named by a command line, and its arguments. */
export function commandOf(argv: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const flag = FIRST_WORDS.get(argv[0])
  const words = flag === undefined ? argv : [...argv.slice(1), flag]
  const named = COMMANDS.find(({ name }) => name === words[0])
  return named === undefined ? { command: start, rest: words } : { command: named, rest: words.slice(1) }
}
