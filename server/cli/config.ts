// Flags over environment over config file over defaults, parsed once into one frozen object. Whatever is not known is
// refused by name: a setting that is silently ignored is the hardest to find.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { type Config, ENV_PREFIX, type Setting, Settings, settings } from '../app/index.ts'
import { COMMAND_NAMES, help as helpText } from './help.ts'
import { nearest } from './nearest.ts'

/** The file looked for in the current folder when none is named. */
const DEFAULT_FILE = 'tonrpc.config.json'

/** Something a person wrote does not fit; the text says what and where. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface Given {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'start'; config: Config }

/** What one place says, by the names of the settings. */
interface Layer {
  /** For a refusal: ` in config file x`; empty for flags, which a person has just typed. */
  readonly where: string
  readonly values: Readonly<Record<string, unknown>>
}

const LISTED = '--help lists them all'
const SHOWN = 60

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

function fromText({ kind }: Setting, text: string): unknown {
  if (kind === 'list') return listed(text)
  if (kind === 'switch') return Object.hasOwn(SWITCHES, text) ? SWITCHES[text] : text
  return kind === 'number' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

/** Node's words for flags it cannot read, made ours: they span lines and never say what a flag takes. */
function flagProblem(error: unknown): string {
  const said = (error as Error).message
  const unknown = /^Unknown option '([^']*)'/.exec(said)?.[1]
  if (unknown !== undefined) {
    const meant = nearest(unknown.replace(/^--(no-)?/, ''), [...settings.map(({ flag }) => flag), 'config', 'help'])
    return `unknown flag ${unknown.slice(0, SHOWN)}${meant === null ? '' : `, did you mean --${meant}?`}: ${LISTED}`
  }
  const word = /^Unexpected argument '(.*)'\. This/s.exec(said)?.[1]
  if (word !== undefined) {
    const meant = nearest(word, COMMAND_NAMES)
    const hint = meant === null ? '' : `, did you mean tonrpc ${meant}?`
    return `unexpected ${JSON.stringify(word.slice(0, SHOWN))}${hint}: every setting is a flag, ${LISTED}`
  }
  const flag = /'[^']*--([\w-]+)/.exec(said)?.[1]
  const setting = settings.find((candidate) => candidate.flag === flag)
  if (/does not take/.test(said)) return `--${flag} takes no value`
  return `--${flag} needs a value${setting ? `: ${setting.values}` : ''}; one that begins with a dash is written --${flag}=-x`
}

function readFlags(argv: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    config: { type: 'string' },
  }
  for (const { flag, kind } of settings)
    options[flag] = kind === 'switch' ? { type: 'boolean' } : { type: 'string', multiple: kind === 'list' }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false, strict: true }).values
  } catch (error) {
    throw new ConfigError(flagProblem(error), { cause: error })
  }
}

function fromFlags(given: ReturnType<typeof readFlags>): Layer {
  const values: Record<string, unknown> = {}
  for (const setting of settings) {
    const value = given[setting.flag]
    if (value === undefined) continue
    values[setting.name] = fromText(setting, Array.isArray(value) ? value.join(',') : String(value))
  }
  return { where: '', values }
}

function fromEnv(env: Given['env']): Layer {
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || name === `${ENV_PREFIX}CONFIG` || value === undefined) continue
    const setting = settings.find(({ env: own }) => own === name)
    if (!setting) throw new ConfigError(`unknown setting ${name.slice(0, SHOWN)} in the environment: ${LISTED}`)
    values[setting.name] = fromText(setting, value)
  }
  return { where: ' in the environment', values }
}

function readJson(path: string): unknown {
  let text: string
  try {
    if (statSync(path).isDirectory()) throw new ConfigError(`config file ${path} is a folder`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = missing ? 'does not exist' : `cannot be read: ${(error as Error).message}`
    throw new ConfigError(`config file ${path || '""'} ${why}`, { cause: error })
  }
  try {
    // Some editors put a byte order mark first.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // Only the parser's first words: the rest repeats what stands in the file.
    const why = (error as Error).message.split(/, (?:\.{3})?"/)[0]
    throw new ConfigError(`config file ${path} is not JSON: ${why}`, { cause: error })
  }
}

function fromFile(named: string | undefined): Layer {
  const path = named ?? DEFAULT_FILE
  const where = ` in config file ${path}`
  if (named === undefined && !existsSync(path)) return { where, values: {} }
  const value = readJson(path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(`config file ${path} must hold one JSON object`)
  }
  const unknown = Object.keys(value).find((name) => !settings.some((setting) => setting.name === name))
  if (unknown !== undefined)
    throw new ConfigError(`unknown setting ${quoted(unknown)}${where}: ${LISTED}, here in camelCase`)
  return { where, values: value as Layer['values'] }
}

const quoted = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text
}

/** One line for one thing that does not fit: how it is written, what it takes, what was given and where. */
function explain(issue: z.core.$ZodIssue, layers: readonly Layer[]): string {
  const setting = settings.find(({ name }) => name === issue.path[0])
  if (!setting) return issue.message
  const layer = layers.findLast(({ values }) => Object.hasOwn(values, setting.name))
  const [, item] = issue.path
  const given = layer?.values[setting.name]
  const wrong = typeof item === 'number' && Array.isArray(given) ? given[item] : given
  const takes = issue.code === 'custom' ? issue.message : setting.values
  const not = setting.secret ? '' : `, not ${quoted(wrong)}`
  return `--${setting.flag} (${setting.env}) takes ${takes}${not}${layer?.where ?? ''}`
}

/** What the command line asks for. Throws ConfigError. */
export function readConfig({ argv, env }: Given): Command {
  const flags = readFlags(argv)
  if (flags.help) return { kind: 'help' }
  if (flags.version) return { kind: 'version' }
  const file = flags.config === undefined ? env[`${ENV_PREFIX}CONFIG`] : String(flags.config)
  const layers = [fromFile(file), fromEnv(env), fromFlags(flags)]
  const parsed = Settings.safeParse(Object.assign({}, ...layers.map(({ values }) => values)))
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => explain(issue, layers)).join('\n'))
  return { kind: 'start', config: Object.freeze(parsed.data) }
}

/** The text of `--help`. */
export const help = (): string => helpText(DEFAULT_FILE)

/** The configuration table of the README, as markdown. */
export function settingsTable(): string {
  const rows = settings.map(
    ({ flag, env, values, fallback, description }) =>
      `| \`--${flag}\` | \`${env}\` | ${values} | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`,
  )
  return ['| Flag | Environment | Value | Default | What for |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}
