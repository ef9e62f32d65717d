// The shape of all commands: flags from a schema, with common parsing, errors and help. Exit codes: 0 done, 1 failed, 2
// invalid command line.

import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { programVersion } from '../app/programVersion.ts'
import { CommandError, UsageError } from './commandErrors.ts'
import { type Flag, flagsOf } from './flags.ts'
import { groupHelp, type HelpSource, helpOf } from './help.ts'
import { nearest } from './nearestWord.ts'
import { type CommandLine, type Given, optionsOf, readCommandLine, type Word } from './readCommandLine.ts'
import { SHOWN } from './settingWords.ts'

export interface Io {
  readonly env: Given['env']
  out(text: string): void
  err(text: string): void
}

export interface Command {
  /** As it is typed after `tonrpc`. */
  readonly name: string
  readonly summary: string
  /** Runs the arguments after the name and returns the exit code. Rejects with faults of this program. */
  run(argv: readonly string[], io: Io): Promise<number>
  /** The text of `--help`. */
  help(): string
}

interface Definition<S extends z.ZodRawShape> {
  readonly name: string
  readonly summary: string
  readonly flags: z.ZodObject<S>
  /** Required positional arguments. */
  readonly words?: readonly Word[]
  /** The error for a surplus argument. */
  readonly stray?: string
  /** Surplus words that mean what happens without them. */
  readonly needless?: readonly string[]
  /** Commands suggested for a surplus argument. */
  readonly others?: readonly Pick<Command, 'name' | 'summary'>[]
  /** In place of the text drawn from the rest. */
  readonly help?: (source: HelpSource) => string
  readonly notes?: readonly string[]
  /** How a refusal is written; by default as `tonrpc: …`. */
  readonly refusal?: (text: string, given: Given) => string
  run(values: Readonly<z.output<z.ZodObject<S>>>, io: Io, words: readonly string[]): Promise<void>
}

/** One that is no group. */
export interface Leaf<T> extends Command {
  readonly source: () => HelpSource
  /** The parsed command line. Throws UsageError. */
  read(given: Given): CommandLine<T>
  run(argv: readonly string[], io: Io, help?: () => string): Promise<number>
}

const EVERY_SETTING = 'every setting is a flag'

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const sentence = (text: string): string => `tonrpc: ${text}`

async function exitCodeOf(
  work: () => Promise<void>,
  { err }: Io,
  refusal: (text: string) => string = sentence,
): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof CommandError)) throw error
    err(refusal(error.message))
    return error instanceof UsageError ? 2 : 1
  }
}

export function command<S extends z.ZodRawShape>(definition: Definition<S>): Leaf<z.output<z.ZodObject<S>>> {
  const { name, summary, words = [], stray = EVERY_SETTING, others = [], notes = [], refusal = sentence } = definition
  const { needless = [] } = definition
  // Drawn from the schema only for the command that runs.
  const flags = once((): readonly Flag[] => flagsOf(definition.flags))
  const source = (): HelpSource => ({ name, summary, words, flags: flags(), notes })
  const help = () => (definition.help ?? helpOf)(source())
  const read = (given: Given): CommandLine<z.output<z.ZodObject<S>>> =>
    readCommandLine(
      { name, words, stray, needless, others, flags: flags(), parse: (values) => definition.flags.safeParse(values) },
      given,
    )
  return {
    name,
    summary,
    source,
    help,
    read,
    run(argv, io, helpAbove = help) {
      const given = { argv, env: io.env }
      const work = async () => {
        const order = read(given)
        if (order.kind === 'help') io.out(helpAbove())
        else if (order.kind === 'version') io.out(programVersion())
        else await definition.run(order.values, io, order.words)
      }
      return exitCodeOf(work, io, (text) => refusal(text, given))
    },
  }
}

interface Group {
  readonly name: string
  readonly summary: string
  /** Their names begin with that of the group. */
  readonly commands: readonly Leaf<unknown>[]
}

const inWords = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** A command of commands, such as `keys create`. Flags may come before the word that chooses. */
export function commandGroup({ name, summary, commands }: Group): Command {
  const verbOf = (one: Command): string => one.name.slice(name.length + 1)
  const help = () => groupHelp({ name, summary, commands: commands.map((one) => one.source()) })
  const choose = (argv: readonly string[]) => {
    const options = optionsOf(commands.flatMap((one) => one.source().flags))
    const { tokens, values } = parseArgs({ args: [...argv], options, strict: false, tokens: true })
    const word = tokens.find((token) => token.kind === 'positional')
    if (word?.value === 'help' || (word === undefined && values.help === true)) return null
    const verbs = inWords(commands.map(verbOf))
    if (word === undefined) throw new UsageError(`${name} needs a command: ${verbs}; --help shows them`)
    const chosen = commands.find((one) => verbOf(one) === word.value)
    if (chosen === undefined) {
      const meant = nearest(word.value, commands.map(verbOf))
      const hint = meant === null ? '' : `, did you mean ${name} ${meant}?`
      const said = JSON.stringify(word.value.slice(0, SHOWN))
      throw new UsageError(`unexpected ${said}${hint}: ${name} takes ${verbs}; --help shows them`)
    }
    return { chosen, rest: argv.toSpliced(word.index, 1) }
  }
  return {
    name,
    summary,
    help,
    async run(argv, io) {
      let code = 0
      const own = await exitCodeOf(async () => {
        const choice = choose(argv)
        if (choice === null) io.out(help())
        else code = await choice.chosen.run(choice.rest, io, help)
      }, io)
      return own === 0 ? code : own
    },
  }
}
