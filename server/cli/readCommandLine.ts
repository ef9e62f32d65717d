// The one reader of all commands: flags over environment over config file over defaults. Whatever is not known is refused
// by name: a setting that is silently ignored is the hardest to find.

import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { z } from 'zod'
import { ENV_PREFIX } from '../app/settings/settings.ts'
import { failureText } from '../process/index.ts'
import { UsageError } from './commandErrors.ts'
import { readConfigFile } from './configFile.ts'
import { ENV_KEY, type Flag, settings } from './flags.ts'
import { meantWord, nearest } from './nearestWord.ts'
import { type Layer, LISTED, quoted, SHOWN } from './settingWords.ts'

export interface Given {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A positional argument. */
export interface Word {
  readonly name: string
  readonly description: string
}

/** What the reader needs to know about a command. */
export interface Readable<T> {
  readonly name: string
  readonly flags: readonly Flag[]
  readonly words: readonly Word[]
  /** The error for a surplus argument. */
  readonly stray: string
  /** Surplus words that mean what happens without them. */
  readonly needless: readonly string[]
  /** Commands suggested for a surplus argument. */
  readonly others: readonly { readonly name: string }[]
  parse(values: Readonly<Record<string, unknown>>): z.ZodSafeParseResult<T>
}

/** A parsed command line. */
export type CommandLine<T> =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly values: T; readonly words: readonly string[] }

type Options = NonNullable<ParseArgsConfig['options']>

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const SWITCHES: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  on: true,
  false: false,
  0: false,
  off: false,
}

function fromText({ kind }: Flag, text: string): unknown {
  if (kind === 'list') return listed(text)
  if (kind === 'switch') return Object.hasOwn(SWITCHES, text) ? SWITCHES[text] : text
  return kind === 'number' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

/** Whether any of its flags is a setting of the service. */
export const hasSettings = (flags: readonly Flag[]): boolean => flags.some(({ env }) => env !== null)

/** Node's options for these flags and those every command has. */
export function optionsOf(flags: readonly Flag[]): Options {
  const options: Options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } }
  if (hasSettings(flags)) options.config = { type: 'string' }
  for (const { flag, kind } of flags)
    options[flag] = kind === 'switch' ? { type: 'boolean' } : { type: 'string', multiple: kind === 'list' }
  return options
}

/** Replaces Node's errors for unreadable flags, which span lines and do not say what a flag takes. */
function flagProblem(error: unknown, flags: readonly Flag[]): string {
  const said = failureText(error)
  const unknown = /^Unknown option '([^']*)'/.exec(said)?.[1]
  if (unknown !== undefined) {
    const known = [...flags.map(({ flag }) => flag), 'help', ...(hasSettings(flags) ? ['config'] : [])]
    const meant = nearest(unknown.replace(/^--(no-)?/, ''), known)
    return `unknown flag ${unknown.slice(0, SHOWN)}${meantWord(meant && `--${meant}`)}: ${LISTED}`
  }
  const name = /'[^']*--([\w-]+)/.exec(said)?.[1]
  if (/does not take/.test(said)) return `--${name} takes no value`
  const { kind, values = '', takes = '' } = flags.find(({ flag }) => flag === name) ?? {}
  const wanted = values === 'text' ? takes : values
  const needs = `--${name} needs a value${wanted === '' ? '' : `: ${wanted}`}`
  return kind === 'number' ? needs : `${needs}; one that begins with a dash is written --${name}=-x`
}

function strayText({ stray, needless, others }: Readable<unknown>, word: string): string {
  const said = `unexpected ${JSON.stringify(word.slice(0, SHOWN))}`
  if (needless.includes(word.toLowerCase())) return `${said}: leave it out; ${stray}, ${LISTED}`
  const meant = nearest(
    word,
    others.map(({ name }) => name),
  )
  return `${said}${meantWord(meant && `tonrpc ${meant}`)}: ${stray}, ${LISTED}`
}

function readArguments(command: Readable<unknown>, argv: readonly string[]) {
  const { flags, words } = command
  const options = optionsOf(flags)
  const read = () => {
    try {
      return parseArgs({ args: [...argv], options, allowPositionals: true })
    } catch (error) {
      throw new UsageError(flagProblem(error, flags), { cause: error })
    }
  }
  const { values, positionals } = read()
  const extra = positionals[words.length]
  if (extra === undefined) return { values, positionals }
  throw new UsageError(strayText(command, extra))
}

function fromFlags(flags: readonly Flag[], given: ReturnType<typeof readArguments>['values']): Layer {
  const values: Record<string, unknown> = {}
  for (const flag of flags) {
    const value = given[flag.flag]
    if (value === undefined) continue
    values[flag.name] = fromText(flag, Array.isArray(value) ? value.join(',') : String(value))
  }
  return { where: '', values }
}

/** Names with our prefix that are no settings. */
const NO_SETTINGS: ReadonlySet<string> = new Set([`${ENV_PREFIX}CONFIG`, ENV_KEY])

function unknownInEnv(name: string): UsageError {
  const withoutPrefix = (text: string): string => text.slice(ENV_PREFIX.length)
  const known = settings.flatMap(({ env }) => env ?? []).map(withoutPrefix)
  const meant = nearest(withoutPrefix(name), known)
  const hint = meantWord(meant && `${ENV_PREFIX}${meant}`)
  return new UsageError(`unknown setting ${name.slice(0, SHOWN)} in the environment${hint}: ${LISTED}`)
}

function fromEnv(env: Given['env']): Layer {
  const values: Record<string, unknown> = {}
  const envNames: Record<string, string> = {}
  for (const setting of settings) {
    const value = setting.alsoFrom === null ? undefined : env[setting.alsoFrom]
    if (setting.alsoFrom === null || value === undefined) continue
    values[setting.name] = fromText(setting, value)
    if (setting.env !== null && env[setting.env] === undefined) envNames[setting.name] = setting.alsoFrom
  }
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || NO_SETTINGS.has(name) || value === undefined) continue
    const setting = settings.find(({ env: own }) => own === name)
    if (!setting) throw unknownInEnv(name)
    values[setting.name] = fromText(setting, value)
  }
  return { where: ' in the environment', values, envNames }
}

/** Settings of the service that are flags of this command. */
function shared(flags: readonly Flag[], { values, ...layer }: Layer): Layer {
  const names = new Set(flags.filter(({ env }) => env !== null).map(({ name }) => name))
  return { ...layer, values: Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))) }
}

/** Without the name and the password of an address, which stay out of logs. */
const withoutUser = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/(:\/\/)[^/?#]*@/g, '$1***@') : value

/** One line for one thing that does not fit: how it is written, what it takes, what was given and where. */
function explain({ name, flags }: Readable<unknown>, issue: z.core.$ZodIssue, layers: readonly Layer[]): string {
  const found = flags.find((flag) => flag.name === issue.path[0])
  if (!found) return issue.message
  const layer = layers.findLast(({ values }) => Object.hasOwn(values, found.name))
  if (layer === undefined) return `${name} needs --${found.flag} ${found.takes}: ${LISTED}`
  const [, item] = issue.path
  const given = layer.values[found.name]
  const wrong = typeof item === 'number' && Array.isArray(given) ? given[item] : given
  const takes = issue.code === 'custom' ? issue.message : found.values
  const not = found.secret ? '' : `, not ${quoted(withoutUser(wrong))}`
  const env = layer.envNames?.[found.name] ?? found.env
  return `--${found.flag}${env === null ? '' : ` (${env})`} takes ${takes}${not}${layer.where}`
}

/** Parses the command line. Throws UsageError. */
export function readCommandLine<T>(command: Readable<T>, { argv, env }: Given): CommandLine<T> {
  const { flags, words } = command
  const { values, positionals } = readArguments(command, argv)
  if (values.help === true) return { kind: 'help' }
  if (values.version === true) return { kind: 'version' }
  const missing = words.find((_, i) => (positionals[i] ?? '') === '')
  if (missing !== undefined) throw new UsageError(`${command.name} needs ${missing.name}: ${missing.description}`)
  const file = values.config === undefined ? env[`${ENV_PREFIX}CONFIG`] : String(values.config)
  const ofService = hasSettings(flags) ? [readConfigFile(file), fromEnv(env)] : []
  const layers = [...ofService.map((layer) => shared(flags, layer)), fromFlags(flags, values)]
  const parsed = command.parse(Object.assign({}, ...layers.map((layer) => layer.values)))
  if (!parsed.success)
    throw new UsageError(parsed.error.issues.map((issue) => explain(command, issue, layers)).join('\n'))
  return { kind: 'run', values: Object.freeze(parsed.data), words: positionals }
}
