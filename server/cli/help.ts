// The text of `--help`: the settings in the order of what a person looks for.

import { ENV_PREFIX, type Setting, settings } from '../app/index.ts'

const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['where the service is', ['port', 'host', 'publicUrl', 'corsOrigins', 'trustProxy', 'controlOrigins']],
  ['what it serves', ['network', 'role', 'data']],
  ['the embedded chain (devnet)', ['mining', 'blockTime', 'seed', 'reset', 'globalId', 'controlToken']],
  ['the index', ['database', 'databaseRead', 'indexFrom', 'reindexFrom', 'metadata', 'ipfsGateway']],
  ['logs', ['logFormat', 'logLevel']],
]
const REST = 'limits of calls, memory and connections'

const COMMANDS: readonly (readonly [command: string, what: string])[] = [
  ['[flags]', 'start the service'],
  ['keys --help', 'make, list, rotate and revoke API keys'],
  ['seed --help', 'play parts of the demo on a running service'],
  ['classify --help', 'show a trace as a tree, with the actions found in it'],
]

export const COMMAND_NAMES: readonly string[] = ['keys', 'seed', 'classify']

function rowOf({ flag, kind, choices, fallback, description }: Setting): readonly [string, string] {
  const shown = choices.join('|') || { list: 'a,b', switch: '', number: 'number', text: 'text' }[kind]
  const usual = fallback === '' || kind === 'switch' ? '' : ` (default ${fallback})`
  return [`--${flag} ${shown}`.trimEnd(), `${description}${usual}`]
}

export function help(defaultFile: string): string {
  const named = new Set(GROUPS.flatMap(([, names]) => names))
  const rest = settings.filter(({ name }) => !named.has(name))
  const groups = GROUPS.map(([title, names]) => {
    const found = names.flatMap((name) => settings.find((setting) => setting.name === name) ?? [])
    return [title, found.map(rowOf)] as const
  })
  const general: readonly (readonly [string, string])[] = [
    ['--config file', `JSON file with the same settings in camelCase (${defaultFile} when it is there)`],
    ['--help, --version', 'print this text, print the version'],
  ]
  const all = [...groups, [REST, rest.map(rowOf)] as const, ['general', general] as const]
  const width = Math.max(...all.flatMap(([, rows]) => rows.map(([left]) => left.length)))
  const usage = Math.max(...COMMANDS.map(([command]) => command.length))
  return [
    'tonrpc: access to the TON blockchain over JSON-RPC and REST',
    '',
    ...COMMANDS.map(
      ([command, what], i) => `${i === 0 ? 'usage: ' : '       '}tonrpc ${command.padEnd(usage)}  ${what}`,
    ),
    '',
    ...all.flatMap(([title, rows]) => [
      `${title}:`,
      ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()),
      '',
    ]),
    `Every flag is also read from the environment (--trust-proxy is ${ENV_PREFIX}TRUST_PROXY); flags win over the`,
    'environment, the environment over the config file.',
    '',
  ].join('\n')
}
