// What lists of staking and validators share: windows in time, limits, and values in the form they have there.

import { z } from 'zod'
import type { MissingWords } from '../../method.ts'
import { cursorPage, page } from '../../page.ts'
import { Uint32 } from '../../primitives.ts'
import { AccountFilter, HashFilter } from '../filters.ts'
import { bookPageFields } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress } from '../values.ts'

/** A whole number of seconds, or an id that is one. */
export const Seconds = Uint32

/** Bounds in time, each included; the reply repeats them. */
export const windowParams = {
  start_utime: Seconds.optional().describe('Earliest time, unix seconds, included.'),
  end_utime: Seconds.optional().describe('Latest time, unix seconds, included.'),
}

/** A window of ids or creation times, which the reply does not repeat. */
export const windowFilter = (what: string) => ({
  start_utime: Seconds.optional().describe(`Lowest ${what}, unix seconds, included.`),
  end_utime: Seconds.optional().describe(`Highest ${what}, unix seconds, included.`),
})

export const windowFields = {
  start_utime: z.int().optional().describe('As in the request; absent when not sent.'),
  end_utime: z.int().optional().describe('As in the request; absent when not sent.'),
}

const MOST = 1000

/** Less than 1 counts as 1. */
const limitOf = (byDefault: number) =>
  z
    .int()
    .max(MOST, { error: (issue) => `limit is not allowed: ${String(issue.input)} > ${MOST}` })
    .default(byDefault)
    .transform((limit) => Math.max(1, limit))
    .meta({ description: `Maximum rows, 1 to ${MOST}; less than 1 counts as 1.` })

const { cursor } = cursorPage()

/** Newest rows, and those after a cursor: these lists have no offset. */
export const newestPage = (byDefault = 100) => ({ limit: limitOf(byDefault), cursor })

export const validatorsPage = { limit: limitOf(10), offset: page().offset, cursor }

/** Next to the rows of a list. */
export const listFields = {
  known_since: z
    .int()
    .nullable()
    .describe('Unix seconds of the first block that is indexed; what was before it is not in the list.'),
  ...bookPageFields,
}

export const PublicKeyHex = z
  .string()
  .regex(/^[0-9A-F]{64}$/)
  .meta({ id: 'PublicKeyHex', description: '32 bytes as 64 hex digits, uppercase.' })

/** The same form as `Digits`, for amounts below zero. */
export const signedDigits = (what: string) => Digits.describe(`${what}; below zero with a minus.`)

/** Of the transaction an event is. */
export const transactionFields = {
  tx_hash: Base64Hash.describe('Transaction of the event.'),
  tx_lt: Digits.describe('Logical time of that transaction.'),
  utime: z.int().describe('Unix seconds of that transaction.'),
}

/** How validators are filtered; the first two exclude each other. */
export const validatorFilters = {
  stake_holder_address: AccountFilter.optional().describe(
    'Only of this wallet or pool; not together with `adnl_address`.',
  ),
  adnl_address: HashFilter.optional().describe('Only of the validator with this ADNL address.'),
  validator_pubkey: HashFilter.optional().describe('Only of the validator with this public key.'),
}

/** What the reference says where one of these is missing. */
export const needed = (...names: readonly string[]): MissingWords => {
  const words = `${names.join(' and ')} ${names.length === 1 ? 'parameter is' : 'parameters are'} required`
  return { kind: 'invalidParams', words: Object.fromEntries(names.map((name) => [name, words])) }
}

export const PoolParam = AccountFilter.describe('Nominator pool.')
export const PoolField = RawAddress.describe('Nominator pool.')

/** For examples. */
export const stakingExamples = {
  POOL: `-1:${'B'.repeat(64)}`,
  VALIDATOR: `-1:${'A'.repeat(64)}`,
  WALLET: `-1:${'A2'.repeat(32)}`,
  FILER: `-1:${'A3'.repeat(32)}`,
  NOMINATOR: `0:${'02'.repeat(32)}`,
  KEY: '8A88E3DD7409F195FD52DB2D3CBA5D72CA6709BF1D94121BF3748801B40F6F5C',
  ACCUSED: '8139770EA87D175F56A35466C34C7ECCCB8D8A91B4EE37A25DF60F5B8FC9B394',
  ADNL: 'D1'.repeat(32),
  ACCUSED_ADNL: 'D2'.repeat(32),
} as const

export const transactionExample = {
  tx_hash: 'hUuPE4iwuVumZGmJbgn8AY/4kg/vWZ5EHLHcM7oO2ts=',
  tx_lt: '83000000',
  utime: 1700002341,
} as const

export const listExample = { known_since: 1700000000, cursor: null } as const

const FRIENDLY: Readonly<Record<string, string>> = {
  [stakingExamples.POOL]: 'Ef-7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7uxGc',
  [stakingExamples.VALIDATOR]: 'Uf-qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmUW',
  [stakingExamples.WALLET]: 'Uf-ioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKionDu',
  [stakingExamples.FILER]: 'Uf-jo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo6Ojo3JR',
  [stakingExamples.NOMINATOR]: 'UQACAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICApfn',
}

export const bookExample = (...accounts: readonly string[]) => ({
  address_book: Object.fromEntries(
    accounts.map((raw) => [raw, { user_friendly: FRIENDLY[raw] ?? null, domain: null, interfaces: [] }]),
  ),
})
