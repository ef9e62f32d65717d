// Flags over environment over config file over defaults, parsed once into one frozen object. Whatever is not known is
// refused by name: a setting that is silently ignored is the hardest to find.

import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { type Config, ENV_PREFIX, type Setting, Settings, settings } from './settings.ts'

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

type Source = Readonly<Record<string, unknown>>

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function fromText({ kind }: Setting, text: string): unknown {
  if (kind === 'list') return listed(text)
  return kind === 'number' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

const flagOf = (text: string): string => text.replace(/^-*/, '--').slice(0, 40)

function readFlags(argv: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    config: { type: 'string' },
  }
  for (const { flag, kind } of settings) options[flag] = { type: 'string', multiple: kind === 'list' }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false, strict: true }).values
  } catch (error) {
    const said = (error as Error).message
    const unknown = /Unknown option '([^']*)'/.exec(said)?.[1]
    throw new ConfigError(unknown ? `unknown flag ${flagOf(unknown)}: --help lists them all` : `${said}: see --help`)
  }
}

function fromFlags(values: ReturnType<typeof readFlags>): Source {
  const source: Record<string, unknown> = {}
  for (const setting of settings) {
    const value = values[setting.flag]
    if (value === undefined) continue
    source[setting.name] = fromText(setting, Array.isArray(value) ? value.join(',') : String(value))
  }
  return source
}

function fromEnv(env: Given['env']): Source {
  const source: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || name === `${ENV_PREFIX}CONFIG` || value === undefined) continue
    const setting = settings.find(({ env: own }) => own === name)
    if (!setting) throw new ConfigError(`unknown setting ${name} in the environment: --help lists them all`)
    source[setting.name] = fromText(setting, value)
  }
  return source
}

function fromFile(named: string | undefined): Source {
  const path = named ?? DEFAULT_FILE
  if (named === undefined && !existsSync(path)) return {}
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError(`cannot read config file ${path}: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(`config file ${path} must hold one JSON object`)
  }
  const unknown = Object.keys(value).find((name) => !settings.some((setting) => setting.name === name))
  if (unknown !== undefined) throw new ConfigError(`unknown setting "${unknown}" in config file ${path}`)
  return value as Source
}

function explain(issue: z.core.$ZodIssue): string {
  const setting = settings.find(({ name }) => name === issue.path[0])
  if (!setting) return issue.message
  const bounds =
    issue.code === 'too_small'
      ? ` of at least ${issue.minimum}`
      : issue.code === 'too_big'
        ? ` of at most ${issue.maximum}`
        : ''
  return `--${setting.flag} (${setting.env}) takes ${setting.values}${bounds}`
}

/** What the command line asks for. Throws ConfigError. */
export function readConfig({ argv, env }: Given): Command {
  const values = readFlags(argv)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const file = values.config === undefined ? env[`${ENV_PREFIX}CONFIG`] : String(values.config)
  const parsed = Settings.safeParse({ ...fromFile(file), ...fromEnv(env), ...fromFlags(values) })
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(explain).join('\n'))
  return { kind: 'start', config: Object.freeze(parsed.data) }
}

/** The text of `--help`. */
export function help(): string {
  const rows = settings.map(({ flag, kind, values, fallback, description }) => {
    const shown = kind === 'text' && values !== 'text' ? values.replaceAll(', ', '|') : kind === 'list' ? 'a,b' : kind
    return [`--${flag} ${shown}`, `${description}${fallback === '' ? '' : ` (${fallback})`}`] as const
  })
  rows.push(['--config file', `JSON file with the same settings in camelCase (${DEFAULT_FILE} when it is there)`])
  rows.push(['--help, --version', ''])
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    'tonrpc: access to the TON blockchain over JSON-RPC and REST',
    '',
    'usage: tonrpc [flags]         start the service',
    '       tonrpc keys --help     make, list, rotate and revoke API keys',
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()),
    '',
    `Every flag is also read from the environment (--trust-proxy is ${ENV_PREFIX}TRUST_PROXY); flags win over the`,
    'environment, the environment over the config file.',
    '',
  ].join('\n')
}

/** The configuration table of the README, as markdown. */
export function settingsTable(): string {
  const rows = settings.map(
    ({ flag, env, values, fallback, description }) =>
      `| \`--${flag}\` | \`${env}\` | ${values} | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`,
  )
  return ['| Flag | Environment | Value | Default | What for |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}
