// The words after `seed`: one schema that parses them, and that the text of `--help` is written from.

import { parseArgs } from 'node:util'
import { z } from 'zod'
import { demoParts } from '../../node/index.ts'
import { UsageError } from '../keys/arguments.ts'

const NAMES = demoParts.map(({ name }) => name)
const MOST_TIMES = 1000
/** Seconds that are waited for; what is further off needs the clock to be moved. */
export const LONGEST_WAIT = 60

const isService = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

const SeedFlags = z.strictObject({
  only: z
    .string()
    .default(NAMES.join(','))
    .transform((text) => text.split(',').map((name) => name.trim()))
    .refine((names) => names.every((name) => NAMES.includes(name)), { error: `parts out of ${NAMES.join(', ')}` })
    .meta({ takes: 'PARTS', description: 'parts to play, separated by commas' }),
  times: z
    .string()
    .default('1')
    .refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_TIMES, {
      error: `a whole number from 1 to ${MOST_TIMES}`,
    })
    .transform(Number)
    .meta({ takes: 'N', description: 'how often to play each; every time with contracts of its own' }),
  url: z
    .string()
    .default('http://localhost:8081')
    .refine(isService, { error: 'an address that begins with http:// or https://' })
    .meta({ takes: 'URL', description: 'where the service is' }),
  'move-clock': z.boolean().default(false).meta({
    takes: '',
    description: "end auctions now by moving the chain's clock on; messages of wallets then expire earlier",
  }),
  'control-token': z
    .string()
    .default('')
    .meta({ takes: 'SECRET', description: 'its --control-token, when it is on another machine' }),
})

export interface SeedOrder {
  /** Names of parts, in the order they are played. */
  readonly parts: readonly string[]
  readonly times: number
  readonly url: string
  /** Whether steps that are far ahead may move the chain's clock; else they are left out. */
  readonly movesClock: boolean
  readonly controlToken: string
}

type Flag = keyof typeof SeedFlags.shape
const flags = Object.keys(SeedFlags.shape) as Flag[]

const SWITCH: Flag = 'move-clock'
const typeOf = (flag: Flag) => (flag === SWITCH ? 'boolean' : 'string')

function readFlags(argv: readonly string[]) {
  const options = { ...Object.fromEntries(flags.map((flag) => [flag, { type: typeOf(flag) } as const])), ...HELP_FLAG }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values
  } catch (error) {
    const said = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : 'The options make no sense'
    throw new UsageError(said.slice(0, 200), { cause: error })
  }
}
const HELP_FLAG = { help: { type: 'boolean', short: 'h' } } as const

/** Reads the words after `seed`; null when they ask for help. Throws UsageError. */
export function parseSeedArguments(argv: readonly string[]): SeedOrder | null {
  const { help, ...given } = readFlags(argv)
  if (help === true) return null
  const parsed = SeedFlags.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new UsageError(`--${String(issue?.path[0])} takes ${issue?.message}`)
  }
  const { only, times, url, 'move-clock': movesClock, 'control-token': controlToken } = parsed.data
  return { parts: NAMES.filter((name) => only.includes(name)), times, url, movesClock, controlToken }
}

type Row = readonly [left: string, right: string]

/** The text of `seed --help`. */
export function seedHelp(): string {
  const shape: Readonly<Record<string, z.ZodType>> = SeedFlags.shape
  const rows = Object.entries(shape).map(([flag, schema]): Row => {
    const { takes, description = '' } = schema.meta() ?? {}
    const fallback = schema.safeParse(undefined).data
    const hasNone = fallback === '' || flag === SWITCH
    const usual = flag === 'only' ? ' (all of them)' : hasNone ? '' : ` (${String(fallback)})`
    return [`--${flag} ${String(takes)}`.trimEnd(), `${description}${usual}`]
  })
  rows.push(['--help', 'print this'])
  const parts = demoParts.map(({ name, title }): Row => [name, title])
  const width = Math.max(...[...rows, ...parts].map(([left]) => left.length))
  const lines = (pairs: readonly Row[]) => pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
  return [
    'Usage: tonrpc seed [options]    play parts of the demo on a running service with an embedded chain',
    '',
    ...lines(rows),
    '',
    'Parts:',
    ...lines(parts),
    '',
    `A step that has to wait up to ${LONGEST_WAIT} s is waited for. The end of auctions is further off (minutes with nft and offers,`,
    'an hour with dns) and left out without --move-clock.',
  ].join('\n')
}
