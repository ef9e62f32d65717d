// The words after `keys`, read into an order. Everything that is wrong with them is a UsageError that says what to do.
import { parseArgs } from 'node:util'
import { NETWORKS, type Network } from '../../../shared/network.ts'
import { MAX_PER_SECOND, PLANS, type Plan } from '../../access/index.ts'
/** Words the command does not understand; the message says what it would. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
interface Shared {
  readonly data: string | null
  readonly network: Network | null
  readonly json: boolean
}

interface Create {
  readonly verb: 'create'
  readonly plan: Plan
  readonly perSecond: number | null
  readonly label: string
  /** Milliseconds from now; null for a key without an end. */
  readonly expiresIn: number | null
}

/** What an operator asked for. */
export type KeysOrder = Shared &
  (
    | { readonly verb: 'help' | 'list' }
    | Create
    | { readonly verb: 'rotate'; readonly id: string; readonly overlap: number }
    | { readonly verb: 'revoke'; readonly id: string }
  )

type Verb = KeysOrder['verb']
type Option = keyof typeof OPTIONS
type Values = { readonly [K in Option]?: (typeof OPTIONS)[K]['type'] extends 'boolean' ? boolean : string }

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const OPTIONS = {
  ...{ data: TEXT, network: TEXT, json: FLAG, help: { ...FLAG, short: 'h' } },
  ...{ plan: TEXT, rps: TEXT, label: TEXT, expires: TEXT, overlap: TEXT },
} as const
const SHARED = ['data', 'network', 'json', 'help'] as const
const TAKES: Readonly<Record<Verb, readonly string[]>> = {
  create: ['plan', 'rps', 'label', 'expires', ...SHARED],
  list: SHARED,
  rotate: ['overlap', ...SHARED],
  revoke: SHARED,
  help: SHARED,
}
const DAY = 86_400_000
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY }
const MAX_DAYS = 36_500
/** Reads the words after `keys`. Throws UsageError. */
export function parseKeysArguments(argv: readonly string[]): KeysOrder {
  const { verb, values, words } = split(argv)
  const shared = { data: values.data ?? null, network: parseNetwork(values.network), json: values.json === true }
  if (values.help === true || verb === 'help') return { verb: 'help', ...shared }
  const takesId = verb === 'rotate' || verb === 'revoke'
  if (words.length > (takesId ? 1 : 0))
    throw new UsageError(`Too many words: ${quote(words.at(-1) ?? '')}. A label of several words needs quotes`)
  if (verb === 'list') return { verb, ...shared }
  if (verb === 'create') return { ...parseCreate(values), ...shared }
  const [id] = words
  if (id === undefined || id === '')
    throw new UsageError(
      `Name the key to ${verb} by its id: keys ${verb} ID. Ids are in the first column of: keys list`,
    )
  if (id.startsWith('tonrpc_'))
    throw new UsageError(`That is the key itself, not its id. Ids are in the first column of: keys list`)
  return verb === 'revoke' ? { verb, id, ...shared } : { verb, id, overlap: parseOverlap(values.overlap), ...shared }
}
function split(argv: readonly string[]): { verb: Verb; values: Values; words: string[] } {
  const { values, positionals } = readWords(argv)
  const [word = values.help === true ? 'help' : '', ...words] = positionals
  if (word === '') throw new UsageError('Say what to do with the keys: create, list, rotate or revoke')
  if (!isVerb(word)) throw new UsageError(`Unknown command ${quote(word)}. There are: ${Object.keys(TAKES).join(', ')}`)
  const stray = Object.keys(values).find((name) => !TAKES[word].includes(name))
  if (stray !== undefined) {
    const taken = TAKES[word].map((name) => `--${name}`).join(', ')
    throw new UsageError(`--${stray} means nothing to ${word}, which takes: ${taken}`)
  }
  return { verb: word, values, words }
}
function readWords(argv: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    // Node's second sentence is about positional words, which no command here would take.
    const said = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : 'The options make no sense'
    throw new UsageError(said.slice(0, 200), { cause: error })
  }
}
const isVerb = (word: string): word is Verb => Object.hasOwn(TAKES, word)
function parseCreate({ plan: planText, rps, label, expires }: Values): Create {
  if (planText === undefined) throw new UsageError(`Choose a plan: --plan ${PLANS.join('|')}`)
  const plan = PLANS.find((name) => name === planText)
  if (plan === undefined) throw new UsageError(`Unknown plan ${quote(planText)}. There are: ${PLANS.join(', ')}`)
  if (plan !== 'custom' && rps !== undefined)
    throw new UsageError(`The plan ${plan} has its own rate. For another one: --plan custom --rps ${rps.slice(0, 20)}`)
  if (plan === 'custom' && rps === undefined)
    throw new UsageError('A custom plan needs its requests per second: --plan custom --rps 500')
  const perSecond = rps === undefined ? null : parseWhole('--rps', rps, MAX_PER_SECOND)
  const expiresIn = expires === undefined ? null : parseWhole('--expires', expires, MAX_DAYS) * DAY
  return { verb: 'create', plan, perSecond, label: label ?? '', expiresIn }
}
function parseNetwork(text: string | undefined): Network | null {
  if (text === undefined) return null
  const network = NETWORKS.find((name) => name === text)
  if (network === undefined) throw new UsageError(`Unknown network ${quote(text)}. There are: ${NETWORKS.join(', ')}`)
  return network
}
function parseWhole(option: string, text: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > max) throw new UsageError(`${option} is a whole number from 1 to ${max}, not ${quote(text)}`)
  return value
}
function parseOverlap(text = '24h'): number {
  if (text === '0') return 0
  const [, digits, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  const ms = Number(digits) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (!(ms <= MAX_DAYS * DAY)) throw new UsageError(`--overlap is a time like 0, 30m, 24h or 7d, not ${quote(text)}`)
  return ms
}
const quote = (text: string): string => JSON.stringify(text.slice(0, 60))
