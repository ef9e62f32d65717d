// The words every method is spelled with: each a strict schema that never turns one type into another. Text that came
// in a query string is turned into JSON before it gets here.

import { z } from 'zod'
import { fitsFriendly, type ParsedAddress, parseAddress } from './address.ts'
import { adviceOnAddress } from './addressAdvice.ts'
import { AMOUNT_BITS } from './amountBits.ts'
import { fromBase64 } from './base64.ts'
import { parseHash } from './parseHash.ts'

/** For JSON of what a caller sent: a number of many digits was read as a bigint, and is written as their text. */
export const withDigits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const INT32 = 2 ** 31
const INT64 = 2n ** 63n

const MOST_CLIPPED = 64

/** A stranger's text in a refusal: short, on one line. */
export const clip = (text: string): string => {
  const line = text.slice(0, MOST_CLIPPED + 1).replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
  return line.length > MOST_CLIPPED ? `${line.slice(0, MOST_CLIPPED - 3)}...` : line
}

/** Maximum length of an address or hash, with room for a clear error about slightly longer text. */
const NAME_LENGTH = 128

/** An account in any form: raw, or friendly in either alphabet with any flags. */
export const AnyAddress = z
  .string()
  .max(NAME_LENGTH)
  .transform((text, context): ParsedAddress => {
    const address = parseAddress(text)
    if (address) return address
    const message = text === '' ? 'empty address' : `Failed to parse ton_addr: '${clip(text)}'`
    context.addIssue({ code: 'custom', message, params: { advice: adviceOnAddress(text) } })
    return z.NEVER
  })
  .meta({
    id: 'Address',
    format: 'ton-address',
    description: 'Raw form `<workchain>:<64 hex>` or friendly form of 48 base64 or base64url characters.',
  })

/** An address that has a friendly form: its workchain fits one byte. */
export const PackableAddress = AnyAddress.refine(fitsFriendly, 'workchain does not fit the friendly form')

/** 32 bytes in any spelling. */
export const AnyHash = z
  .string()
  .max(NAME_LENGTH)
  .transform((text, context): Uint8Array => {
    const hash = parseHash(text)
    if (hash) return hash
    context.addIssue(text === '' ? 'empty hash' : `invalid hash: '${clip(text)}'`)
    return z.NEVER
  })
  .meta({
    id: 'Hash',
    format: 'ton-hash',
    description: '32 bytes as 44 characters of base64 or base64url, 43 of base64url without padding, or 64 hex digits.',
  })

/** Bytes in some spelling, or nothing: many clients send an empty text for what they do not have. */
const optionalBytes = (
  spelling: z.ZodString,
  read: (text: string) => Uint8Array | null,
  refusal: (text: string) => string,
) =>
  spelling.transform((text, context): Uint8Array | undefined => {
    if (text === '') return undefined
    const bytes = read(text)
    if (bytes) return bytes
    context.addIssue(refusal(text))
    return z.NEVER
  })

/** 32 bytes named by a text, or nothing; `what` names them in the refusal. */
export const optionalName = (what: string, read: (text: string) => Uint8Array | null) =>
  optionalBytes(z.string().max(NAME_LENGTH), read, (text) => `invalid ${what}: '${clip(text)}'`)

/** A whole number of any size as text, so that JSON does not round it. */
export type Digits = `${bigint}`

/** A bigint as text for the wire. */
export const toDigits = (value: bigint): Digits => `${value}`
// The cast: zod types a checked string as `string`, and the pattern has made sure of more.
export const Digits = z
  .string()
  .regex(/^-?\d{1,80}$/, 'not a whole number')
  .meta({ id: 'Digits', format: 'digits', description: 'Decimal digits of a whole number.' }) as unknown as z.ZodType<
  Digits,
  Digits
>

const DECIMALS = 9

interface Units {
  /** What amounts count, and a thousand million of which is one of what. */
  readonly counted: string
  readonly whole: string
}

/** Why a text is not an amount; a fraction is read in whole units, and the error shows it in the smallest ones. */
function wrongAmount(text: string, { counted, whole }: Units): string {
  const [, digits, fraction] = /^(\d{1,28})\.(\d{1,9})$/.exec(text) ?? []
  if (digits === undefined || fraction === undefined)
    return `not an amount in ${counted}, which is digits alone and below 2^${AMOUNT_BITS}: '${clip(text)}'`
  return `an amount is in ${counted}: ${text} ${whole} is ${BigInt(digits + fraction.padEnd(DECIMALS, '0'))}`
}

const amountIn = (units: Units) =>
  z
    // A whole number counts as its text; a fraction arrives as a number.
    .string({ error: ({ input }) => (typeof input === 'number' ? wrongAmount(String(input), units) : undefined) })
    .max(40)
    .transform((text, context): bigint => {
      const value = /^\d{1,37}$/.test(text) ? BigInt(text) : null
      if (value !== null && value < 1n << BigInt(AMOUNT_BITS)) return value
      context.addIssue(wrongAmount(text, units))
      return z.NEVER
    })

const amountForm = { format: 'digits', pattern: '^\\d{1,37}$' } as const

/** An amount of nanotons: digits in, bigint inside. */
export const Coins = amountIn({ counted: 'nanotons', whole: 'TON' }).meta({
  id: 'Coins',
  ...amountForm,
  description: 'Nanotons, decimal digits.',
})

/** An amount of the demo jetton, which has as many decimals as TON. */
export const JettonAmount = amountIn({ counted: 'the smallest units', whole: 'jettons' }).meta({
  ...amountForm,
  description: 'In the smallest units: 1000000000 is one jetton.',
})

interface Int64Words {
  readonly id: string
  readonly description: string
  /** For the documents; `read` decides. */
  readonly pattern: string
}

const int64 = ({ id, description, pattern }: Int64Words, read: (text: string) => bigint | null) =>
  z
    .string()
    .max(24)
    .transform((text, context): bigint => {
      const value = read(text)
      if (value !== null) return value
      context.addIssue(`not a ${description}: '${clip(text)}'`)
      return z.NEVER
    })
    .meta({ id, format: 'digits', pattern, description })

const signed64 = (text: string): bigint | null => {
  if (!/^-?\d{1,20}$/.test(text)) return null
  const value = BigInt(text)
  return value >= -INT64 && value < INT64 ? value : null
}

const LOGICAL_TIME = {
  id: 'LogicalTime',
  description: 'logical time (decimal digits, below 2^63)',
  pattern: '^\\d{1,20}$',
}

/** Logical time: digits in, bigint inside. */
export const LogicalTime = int64(LOGICAL_TIME, (text) => {
  const value = signed64(text)
  return value !== null && value >= 0n ? value : null
})

const SHARD = {
  id: 'Shard',
  description: 'shard (signed 64-bit decimal)',
  pattern: '^(-?\\d{1,20}|[0-9a-fA-F]{16})$',
}

/**
 * Shard prefix as a signed 64-bit number; signed or unsigned decimal and 16 hex digits are all read. 0 is no shard, but a prefix
 * as good as any: callers that look for a block of the masterchain write it, and lite servers find the block by its seqno, logical
 * time or time.
 */
export const Shard = int64(SHARD, readShard)

function readShard(text: string): bigint | null {
  // Decimal digits too: a shard has over 16 of them unless its chain is split more than fifty times.
  if (/^[0-9a-fA-F]{16}$/.test(text)) return BigInt.asIntN(64, BigInt(`0x${text}`))
  if (!/^-?\d{1,20}$/.test(text)) return null
  const value = BigInt(text)
  return value >= -INT64 && value < 2n * INT64 ? BigInt.asIntN(64, value) : null
}

export const Int32 = z
  .int()
  .min(-INT32)
  .max(INT32 - 1)

/** Also a time: blocks have 32 bits for theirs. */
export const Uint32 = z
  .int()
  .min(0)
  .max(2 ** 32 - 1)

/** Height of a block in its shard. */
export const Seqno = z
  .int()
  .min(1, 'seqno should be positive')
  .max(INT32 - 1)
  .meta({ id: 'Seqno' })

/** Most characters of one bag of cells as text: 256 KiB in base64 with padding. */
export const MOST_BOC_CHARACTERS = Math.ceil((256 * 1024) / 3) * 4

/** Text of a bag of cells as it is sent: a `+` arrives as a space from clients that do not escape it in a query string. */
const readBocText = (text: string): Uint8Array | null => fromBase64(text.replaceAll(' ', '+'))

const BocCharacters = z
  .string()
  .max(MOST_BOC_CHARACTERS, `bag of cells is over ${MOST_BOC_CHARACTERS} base64 characters`)

/** A bag of cells: base64 in, bytes inside. The bag is parsed by the handler that uses it. */
export const Boc = BocCharacters.transform((text, context): Uint8Array => {
  const bytes = readBocText(text)
  if (bytes && bytes.length > 0) return bytes
  context.addIssue(text === '' ? 'empty boc' : 'not base64 BoC')
  return z.NEVER
}).meta({ id: 'Boc', format: 'boc', description: 'A bag of cells (BoC) in base64.' })

/** A bag of cells or nothing. */
export const OptionalBoc = optionalBytes(BocCharacters, readBocText, () => 'not base64 BoC')
