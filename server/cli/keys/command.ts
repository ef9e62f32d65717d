// `tonrpc keys`: API keys from the command line. What it does is in the same file a running server reads, which follows
// within two seconds, so that nothing has to be restarted.

import { z } from 'zod'
import { NETWORKS } from '../../../shared/network.ts'
import { BUILT_IN, CUSTOM, MAX_PER_SECOND } from '../../access/plans.ts'
import { Settings } from '../../app/settings/settings.ts'
import { command, commandGroup } from '../command.ts'
import { UsageError } from '../commandErrors.ts'
import { settingFlag } from '../flags.ts'

const DAY = 86_400_000
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY }
const MAX_DAYS = 36_500

/** Milliseconds of `30m`, `24h` and the like; null when it is no such time. */
function parseOverlap(text: string): number | null {
  if (text === '0') return 0
  const [, digits, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  const ms = Number(digits) * (UNITS[unit ?? ''] ?? Number.NaN)
  return ms <= MAX_DAYS * DAY ? ms : null
}

/** Flags that say where keys and plans are. */
export const keysPlaceFlags = {
  data: settingFlag(Settings.shape.data, 'folder keys are kept in, without a PostgreSQL'),
  database: settingFlag(Settings.shape.database, 'the database of the service: keys are kept in a PostgreSQL'),
  databaseFile: settingFlag(Settings.shape.databaseFile, 'file that holds the address of the database'),
  json: z.boolean().default(false).describe('print one JSON document'),
}
const keyId = { name: 'ID', description: 'the id of a key, from the first column of: tonrpc keys list' }

function idOf([id = '']: readonly string[]): string {
  if (id.startsWith('tonrpc_'))
    throw new UsageError('that is the key itself, not its id. Ids are in the first column of: tonrpc keys list')
  return id
}

const allAccountsFlag = z.enum(['on', 'off']).describe('whether the key may subscribe to all accounts at once')

const create = command({
  name: 'keys create',
  summary: 'issue a key and print it, once',
  flags: z.strictObject({
    plan: z
      .string()
      .min(1)
      .meta({
        takes: [...BUILT_IN.map(({ name }) => name), 'name'].join('|'),
        description: 'what the key may do: tonrpc plans list shows all; a custom plan takes --rps',
      }),
    rps: z.int().min(1).max(MAX_PER_SECOND).optional().describe('requests per second of a custom plan'),
    monthly: z.int().min(1).optional().describe('calls of a calendar month (UTC), counted by their weights'),
    label: z.string().default('').describe('whose key it is'),
    expires: z
      .int()
      .min(1)
      .max(MAX_DAYS)
      .optional()
      .meta({ takes: 'days', description: 'end after so many days; without it the key has no end' }),
    allAccounts: allAccountsFlag.default('off'),
    network: settingFlag(Settings.shape.network, 'chain the key is for'),
    ...keysPlaceFlags,
  }),
  stray: 'a label goes behind --label, in quotes if it has spaces',
  async run({ plan, rps, monthly = null, label, expires, allAccounts, network, ...place }, io) {
    if (plan !== CUSTOM && rps !== undefined)
      throw new UsageError(`the plan ${plan} has its own rate. For another one: --plan custom --rps ${rps}`)
    if (plan === CUSTOM && rps === undefined)
      throw new UsageError('a custom plan needs its requests per second: --plan custom --rps 500')
    const { createKey } = await import('./perform.ts')
    const expiresAt = expires === undefined ? null : Date.now() + expires * DAY
    const order = {
      network,
      plan,
      perSecond: rps ?? null,
      monthly,
      label,
      allAccounts: allAccounts === 'on',
      expiresAt,
    }
    await createKey(order, { ...io, ...place })
  },
})

const list = command({
  name: 'keys list',
  summary: 'show all keys, without their secrets',
  flags: z.strictObject({
    network: z.enum(NETWORKS).optional().describe('show only keys of this chain'),
    ...keysPlaceFlags,
  }),
  async run({ network, ...place }, io) {
    const { listKeys } = await import('./perform.ts')
    await listKeys(network ?? null, { ...io, ...place })
  },
})

const rotate = command({
  name: 'keys rotate',
  summary: 'print a new secret for a key; plan, label and budget stay',
  words: [keyId],
  flags: z.strictObject({
    overlap: z
      .string()
      .refine((text) => parseOverlap(text) !== null, { error: 'a time like 0, 30m, 24h or 7d' })
      .default('24h')
      .meta({ takes: 'time', description: 'how long the old secret still works: 0, 30m, 24h, 7d' }),
    ...keysPlaceFlags,
  }),
  async run({ overlap, ...place }, io, words) {
    const id = idOf(words)
    const { performRotate: rotateKey } = await import('./perform.ts')
    await rotateKey(id, parseOverlap(overlap) ?? 0, { ...io, ...place })
  },
})

const change = command({
  name: 'keys change',
  summary: 'change what a key may do; streams that it may not have any more end, webhooks rest',
  words: [keyId],
  flags: z.strictObject({ allAccounts: allAccountsFlag.optional(), ...keysPlaceFlags }),
  async run({ allAccounts, ...place }, io, words) {
    const id = idOf(words)
    if (allAccounts === undefined) throw new UsageError('nothing to change is named: --all-accounts on, or off')
    const { performChange: changeKey } = await import('./perform.ts')
    await changeKey(id, { allAccounts: allAccounts === 'on' }, { ...io, ...place })
  },
})

const revoke = command({
  name: 'keys revoke',
  summary: 'end a key and all its secrets, within two seconds',
  words: [keyId],
  flags: z.strictObject(keysPlaceFlags),
  async run(place, io, words) {
    const id = idOf(words)
    const { performRevoke: revokeKey } = await import('./perform.ts')
    await revokeKey(id, { ...io, ...place })
  },
})

const DAYS = 30

const usage = command({
  name: 'keys usage',
  summary: 'show what was called with keys, by key, or by day and method of one',
  flags: z.strictObject({
    days: z.int().min(1).max(3_660).default(DAYS).describe('so many days until today, in UTC'),
    key: z.string().default('').meta({ takes: 'id', description: 'show one key, by day and method' }),
    ...keysPlaceFlags,
  }),
  async run({ days, key, ...place }, io) {
    const { showUsage } = await import('./perform.ts')
    const keyId = key === '' ? null : idOf([key])
    await showUsage({ days, keyId }, { ...io, ...place })
  },
})

export const keysCommand = commandGroup({
  name: 'keys',
  summary: 'make, list, rotate, change and revoke API keys, show their usage',
  commands: [create, list, rotate, change, revoke, usage],
})
