// Filters of v3, each a strict schema. v3 accepts other forms of some values than v2.

import { z } from 'zod'
import { fitsFriendly, parseAddress } from '../address.ts'
import { adviceOnAddress } from '../addressAdvice.ts'
import { parseHash } from '../parseHash.ts'
import { clip, Int32 } from '../primitives.ts'

/** Maximum length of any form of a value, with room for a clear error about slightly longer text. */
const LENGTH = 128

const INT64 = 2n ** 63n

/** Maximum values of a list. */
export const MOST_VALUES = 1000

const value = <T>(read: (text: string) => T | null, what: string) =>
  z
    .string()
    .max(LENGTH)
    .transform((text, context): T => {
      const found = read(text)
      if (found !== null) return found
      const message = text === '' ? `empty ${what}` : `invalid ${what}: '${clip(text)}'`
      const advice = what === 'address' ? { advice: adviceOnAddress(text) } : {}
      context.addIssue({ code: 'custom', message, params: advice })
      return z.NEVER
    })

/** An account is named by 33 bytes: its workchain plus 128, then its hash. */
function readAccount(text: string): Uint8Array | null {
  const address = parseAddress(text)
  if (!address || !fitsFriendly(address)) return null
  const key = new Uint8Array(33)
  key[0] = address.workchain + 128
  key.set(address.hash, 1)
  return key
}

const ACCOUNT_FORMS = 'Raw form `<workchain>:<64 hex>` or friendly form of 48 base64 or base64url characters.'

export const AccountFilter = value(readAccount, 'address').meta({
  id: 'AccountFilter',
  format: 'ton-address',
  description: ACCOUNT_FORMS,
})

/** Sender or recipient of a message; null for the word `null`, which matches messages without one. */
export const EndFilter = value((text) => (text === 'null' ? { account: null } : endOf(text)), 'address')
  .transform(({ account }) => account)
  .meta({ id: 'EndFilter', format: 'ton-address', description: `${ACCOUNT_FORMS} \`null\` for none.` })

function endOf(text: string): { readonly account: Uint8Array | null } | null {
  const account = readAccount(text)
  return account && { account }
}

/** 43 characters are accepted in both alphabets here, and hex may have `0x` before it. */
function readHash(text: string): Uint8Array | null {
  if (text.length === 66 && text.startsWith('0x')) return parseHash(text.slice(2))
  return parseHash(text.length === 43 ? `${text}=` : text)
}

export const HashFilter = value(readHash, 'hash').meta({
  id: 'HashFilter',
  format: 'ton-hash',
  description: '32 bytes as 64 hex digits with or without `0x`, or 44 characters of base64 or base64url.',
})

const listOf = <S extends z.ZodType>(one: S) => z.array(one).min(1).max(MOST_VALUES)

export const AccountList = listOf(AccountFilter)
export const HashList = listOf(HashFilter)

/** A value beside the text it was given as, by which it is answered. */
const spelled =
  <T>(read: (text: string) => T | null) =>
  (text: string) => {
    const found = read(text)
    return found === null ? null : { text, found }
  }

/** Each of them can be a large answer. */
const MOST_SPELLED = 64

export const SpelledAccounts = z
  .array(value(spelled(readAccount), 'address').meta({ format: 'ton-address' }))
  .max(MOST_SPELLED)
export const SpelledHashes = z.array(value(spelled(readHash), 'hash').meta({ format: 'ton-hash' })).max(MOST_SPELLED)

/** Digits alone are hex too, while there are no more of them than fit. */
function readOpcode(text: string): number | null {
  const hex = /^(?:0[xX])?([0-9a-fA-F]{1,8})$/.exec(text)?.[1]
  if (hex !== undefined) return Number.parseInt(hex, 16) | 0
  if (!/^-?\d{1,10}$/.test(text)) return null
  const number = Number(text)
  return number === (number | 0) ? number : null
}

export const OpcodeFilter = value(readOpcode, 'opcode').meta({
  id: 'OpcodeFilter',
  format: 'ton-opcode',
  description: 'First 32 bits of a body: up to 8 hex digits with or without `0x`, or a signed decimal number.',
})

function readShard(text: string): bigint | null {
  const hex = /^(?:0[xX])?([0-9a-fA-F]{1,16})$/.exec(text)?.[1]
  if (hex !== undefined) return BigInt.asIntN(64, BigInt(`0x${hex}`))
  if (!/^-?\d{1,19}$/.test(text)) return null
  const number = BigInt(text)
  return number >= -INT64 && number < INT64 ? number : null
}

const ShardFilter = value(readShard, 'shard').meta({
  id: 'ShardFilter',
  format: 'ton-shard',
  description: 'Prefix of a shard: up to 16 hex digits with or without `0x`, or a signed 64-bit decimal number.',
})

/** Unsigned, clamped to 63 bits: no row is later than that. */
function readLt(text: string): bigint | null {
  const number = /^\d{1,20}$/.test(text) ? BigInt(text) : null
  if (number === null || number >= 2n * INT64) return null
  return number < INT64 ? number : INT64 - 1n
}

export const LtFilter = value(readLt, 'logical time').meta({
  id: 'LtFilter',
  format: 'digits',
  pattern: '^\\d{1,20}$',
  description: 'Logical time, decimal digits.',
})

/** Unix seconds; a fraction is cut off. */
const UtimeFilter = z
  .number()
  .transform((seconds, context): number => {
    const whole = Math.trunc(seconds)
    if (whole >= 0 && whole < 2 ** 32) return whole + 0
    context.addIssue(`not a time in unix seconds: '${seconds}'`)
    return z.NEVER
  })
  .meta({ id: 'UtimeFilter', description: 'Unix seconds.' })

/** Bounds of a list in time, each included. */
export const timeBounds = {
  start_utime: UtimeFilter.optional().describe('Earliest time, unix seconds, included.'),
  end_utime: UtimeFilter.optional().describe('Latest time, unix seconds, included.'),
  start_lt: LtFilter.optional().describe('Lowest logical time, included.'),
  end_lt: LtFilter.optional().describe('Highest logical time, included.'),
}

/** Position of a block; each filter can be used alone. */
export const blockFilters = {
  workchain: Int32.optional().describe('Only in this workchain.'),
  shard: ShardFilter.optional().describe('Only in this shard.'),
  seqno: Int32.optional().describe('Only at this block height.'),
}

export const ExcludeSystem = z.boolean().default(false).meta({
  description:
    'Leave out system traffic: tick-tock transactions, and fees and returned stakes the elector receives from -1:00…00.',
})

/** Text a database can hold. */
export const isStorable = (text: string): boolean => !text.includes('\0')

/** Length of an action type, and how many of them. */
const WORD_LENGTH = 64
const MOST_WORDS = 200

export const ActionWords = z
  .array(z.string().max(WORD_LENGTH).refine(isStorable, 'has a character of code 0'))
  .max(MOST_WORDS)
  .optional()
  .meta({ description: 'Action types the client supports; default `latest`.' })

/** What pending methods search by; `found` is what of an account they return. */
export const pendingFilters = (found: string) => ({
  account: AccountFilter.optional().describe(`Only ${found} this account; wins over \`ext_msg_hash\`.`),
  ext_msg_hash: HashList.optional().describe(
    'Messages from outside that began the traces, by hash or normalized hash.',
  ),
  supported_action_types: ActionWords,
})

/** Refusal of a list of accounts that is empty. */
export const ONE_ADDRESS_NEEDED = 'at least 1 address required'
