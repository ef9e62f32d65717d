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
  if (flag !== undefined) {
    const { command, rest } = commandOf(argv.slice(1))
    return { command, rest: [...rest, flag] }
  }
  const named = COMMANDS.find(({ name }) => name === argv[0])
  return named === undefined ? { command: start, rest: argv } : { command: named, rest: argv.slice(1) }
}
