// All commands, in the order the help lists them.

import { backup } from './backup/command.ts'
import { classify } from './classify/command.ts'
import type { Command } from './command.ts'
import { doctor } from './doctor/command.ts'
import { keys } from './keys/command.ts'
import { migrate } from './migrate/command.ts'
import { open } from './open/command.ts'
import { plans } from './plans/command.ts'
import { restore } from './restore/command.ts'
import { seed } from './seed/command.ts'
import { startCommand } from './start/command.ts'
import { webhooks } from './webhooks/command.ts'

const COMMANDS: readonly Command[] = [open, keys, plans, webhooks, backup, restore, migrate, seed, doctor, classify]

export const start = startCommand(COMMANDS)

/** The command named by a command line, and its arguments. */
export function commandOf(argv: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const named = COMMANDS.find(({ name }) => name === argv[0])
  return named === undefined ? { command: start, rest: argv } : { command: named, rest: argv.slice(1) }
}
