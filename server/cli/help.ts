// The text of `--help`: what a command does, and its flags in groups, with the values they have by default.

import { ENV_PREFIX } from '../app/settings/settings.ts'
import { DEFAULT_FILE } from './configFile.ts'
import { type Flag, settings } from './flags.ts'
import { hasSettings, type Word } from './readCommandLine.ts'

/** What the help of a command is drawn from. */
export interface HelpSource {
  readonly name: string
  readonly summary: string
  readonly words: readonly Word[]
  readonly flags: readonly Flag[]
  readonly notes: readonly string[]
}

type Row = readonly [left: string, right: string]
type Section = readonly [title: string, rows: readonly Row[]]

interface Page {
  readonly title: string
  readonly usage: readonly Row[]
  readonly sections: readonly Section[]
  readonly notes: readonly string[]
}

function rowOf({ flag, kind, takes, fallback, description }: Flag): Row {
  const usual = fallback === '' || kind === 'switch' ? '' : ` (default ${fallback})`
  return [`--${flag} ${takes}`.trimEnd(), `${description}${usual}`]
}

const wordRow = ({ name, description }: Word): Row => [name, description]

function generalOf(flags: readonly Flag[]): Section {
  const file: Row = [
    '--config file',
    `JSON file with the same settings in camelCase (${DEFAULT_FILE} when it is there)`,
  ]
  return [
    'general',
    [...(hasSettings(flags) ? [file] : []), ['--help, --version', 'print this text, print the version']],
  ]
}

/** Which flags can also be set by the environment or the config file. */
function settingNotes(flags: readonly Flag[]): readonly string[] {
  const names = flags.filter(({ env }) => env !== null).map(({ flag }) => `--${flag}`)
  return names.length === 0
    ? []
    : [`Settings of the service are also read from the environment and the config file: ${names.join(', ')}.`]
}

function pageText({ title, usage, sections, notes }: Page): string {
  const shown = sections.filter(([, rows]) => rows.length > 0)
  const width = Math.max(...shown.flatMap(([, rows]) => rows.map(([left]) => left.length)))
  const words = Math.max(...usage.map(([left]) => left.length))
  return [
    title,
    '',
    ...usage.map(([left, right], i) =>
      `${i === 0 ? 'usage: ' : '       '}tonrpc ${left.padEnd(words)}  ${right}`.trimEnd(),
    ),
    '',
    ...shown.flatMap(([name, rows]) => [
      `${name}:`,
      ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()),
      '',
    ]),
    ...notes,
    ...(notes.length > 0 ? [''] : []),
  ].join('\n')
}

const usageOf = ({ name, words, flags }: HelpSource): string => {
  const needed = flags.filter(({ isNeeded }) => isNeeded).map(({ flag, takes }) => `--${flag} ${takes}`)
  return [name, ...words.map((word) => word.name), ...needed, '[flags]'].join(' ')
}

export const helpOf = (source: HelpSource): string =>
  pageText({
    title: `tonrpc ${source.name}: ${source.summary}`,
    usage: [[usageOf(source), '']],
    sections: [['arguments', source.words.map(wordRow)], ['flags', source.flags.map(rowOf)], generalOf(source.flags)],
    notes: [...source.notes, ...settingNotes(source.flags)],
  })

interface GroupSource {
  readonly name: string
  readonly summary: string
  readonly commands: readonly HelpSource[]
}

/** All commands of a group on one page: the flags of each, and those that all of them take. */
export function groupHelp({ name, summary, commands }: GroupSource): string {
  const isShared = (flag: Flag): boolean => commands.every(({ flags }) => flags.some((one) => one.name === flag.name))
  const shared = commands[0]?.flags.filter(isShared) ?? []
  const own = commands.map((one): Section => {
    const flags = one.flags.filter((flag) => !isShared(flag))
    return [one.name, [...one.words.map(wordRow), ...flags.map(rowOf)]]
  })
  return pageText({
    title: `tonrpc ${name}: ${summary}`,
    usage: commands.map((one): Row => [usageOf(one), one.summary]),
    sections: [...own, ['all of them', shared.map(rowOf)], generalOf(shared)],
    notes: [...commands.flatMap(({ notes }) => notes), ...settingNotes(commands[0]?.flags ?? [])],
  })
}

/** Settings in the order a person looks for; behind one comes the file that holds its value, if it can be in one. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    'where the service is',
    ['port', 'host', 'publicUrl', 'explorer', 'explorerPlugin', 'abi', 'corsOrigins', 'trustProxy', 'controlOrigins'],
  ],
  ['what it serves', ['network', 'role', 'data']],
  ['the lite servers (testnet, mainnet, custom)', ['liteservers', 'liteserverRps', 'proofs', 'trustStale']],
  ['clients of lite servers', ['litePort', 'liteHost', 'liteTrusted']],
  [
    'the embedded chain (devnet)',
    ['mining', 'blockTime', 'seed', 'reset', 'validators', 'globalId', 'forkFrom', 'forkSeqno', 'controlToken'],
  ],
  [
    'the index',
    ['database', 'databaseRead', 'databaseConnections', 'indexFrom', 'keep', 'reindexFrom', 'metadata', 'ipfsGateway'],
  ],
  ['processes and memory', ['workers', 'redis', 'memory', 'memoryMb']],
  ['keys and webhooks', ['adminToken', 'webhookPrivate']],
  ['logs and traces', ['logFormat', 'logLevel', 'requestLog', 'requestLogSample', 'otlpEndpoint', 'traceSample']],
  [
    'limits of callers',
    [
      'limits',
      'connections',
      'connectionsPerAddress',
      'sockets',
      'bodyBytes',
      'v3HeadBytes',
      'batchItems',
      'batchItemsWithKey',
      'replyBytes',
    ],
  ],
  ['timeouts and stopping', ['callMs', 'runMs', 'statementMs', 'stopDelayMs', 'drainMs']],
]

const flagRows = (names: readonly string[]): readonly Row[] =>
  names
    .flatMap((name) => [name, `${name}File`])
    .flatMap((name) => settings.filter((one) => one.name === name))
    .map(rowOf)

/** The help of the service itself, which names the other commands. */
export function serviceHelp(commands: readonly { readonly name: string; readonly summary: string }[]): string {
  return pageText({
    title: 'tonrpc: access to the TON blockchain over JSON-RPC and REST',
    usage: [['[flags]', 'start the service'], ...commands.map(({ name, summary }): Row => [`${name} --help`, summary])],
    sections: [...GROUPS.map(([title, names]): Section => [title, flagRows(names)]), generalOf(settings)],
    notes: [
      `Every flag is also read from the environment (--trust-proxy is ${ENV_PREFIX}TRUST_PROXY); flags win over the`,
      'environment, the environment over the config file.',
    ],
  })
}

/** The configuration table of the README, as markdown. */
export function settingsTable(): string {
  const rows = settings.map(
    ({ flag, env, values, fallback, description }) =>
      `| \`--${flag}\` | \`${env}\` | ${values} | ${fallback === '' ? '' : `\`${fallback}\``} | ${description} |`,
  )
  return ['| Flag | Environment | Value | Default | What for |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}
