// Recognizes what a person typed into the search box, without a request.

import { fitsFriendly, type ParsedAddress, parseAddress, toRawUpper } from '../address.ts'
import { adviceOnAddress } from '../addressAdvice.ts'
import { fromBase64, toBase64 } from '../base64.ts'
import { fromHex } from '../hex.ts'
import { hexOf, MAIN_SHARD } from './views.ts'

export interface BlockName {
  readonly workchain: number
  /** 16 hex digits, uppercase. */
  readonly shard: string
  readonly seqno: number
}

export type Recognised =
  | { readonly kind: 'empty' }
  | { readonly kind: 'account'; readonly raw: string; readonly words: string }
  | { readonly kind: 'hash'; readonly hex: string; readonly words: string }
  | { readonly kind: 'block'; readonly block: BlockName; readonly words: string }
  | { readonly kind: 'domain'; readonly name: string; readonly words: string }
  | { readonly kind: 'opcode'; readonly opcode: string; readonly words: string }
  | { readonly kind: 'boc'; readonly boc: string; readonly words: string }
  | { readonly kind: 'method'; readonly method: string; readonly words: string }
  /** Looks like something that is known, and is not. */
  | { readonly kind: 'wrong'; readonly words: string }
  | { readonly kind: 'text'; readonly text: string; readonly words: string }

export interface Known {
  /** Raw addresses by name, names in lowercase. */
  readonly names?: ReadonlyMap<string, string>
  readonly methods?: readonly string[]
}

const LONGEST = 10_000
const MOST_SEQNO = 2 ** 31 - 1

const formWords = ({ form, bounceable, testOnly }: ParsedAddress): string =>
  form === 'raw'
    ? 'Address'
    : `Address, ${bounceable ? 'bounceable' : 'non-bounceable'}${testOnly ? ', test only' : ''}`

/** Logical times begin there. In front of a hash, such a number is none of a workchain. */
const LEAST_TIME = 1_000_000

function addressOf(text: string): ParsedAddress | null {
  const address = parseAddress(text)
  return address === null || address.workchain >= LEAST_TIME ? null : address
}

function account(text: string): Recognised | null {
  const address = addressOf(text)
  if (address === null) return null
  if (!fitsFriendly(address)) return { kind: 'wrong', words: `There is no workchain ${address.workchain}.` }
  return { kind: 'account', raw: toRawUpper(address), words: formWords(address) }
}

/** v2 writes shards as decimal numbers of 64 bits. */
const shardOf = (text: string): string =>
  (text.length > 16 ? BigInt.asUintN(64, BigInt(text)).toString(16) : text).toUpperCase().padStart(16, '0')

/** `(0,8000000000000000,17)`, with its hashes behind it or not, `[0:8000000000000000:17]`, or the seqno of a masterchain block: `17`, `#17`, `1 234`. */
function block(text: string): Recognised | null {
  const [, workchain, shard, long] =
    /^[([]?\s*(-?\d{1,10})\s*[,:]\s*([0-9a-f]{1,16}|-?\d{17,20})\s*[,:]\s*(\d{1,10})\s*[)\]]?(?::[0-9a-f]{64}){0,2}$/i.exec(
      text,
    ) ?? []
  const [, alone] = /^(?:block\s*)?#?\s*(\d{1,10}|\d{1,3}(?:[\s,]\d{3})+)$/i.exec(text) ?? []
  const seqno = Number(long ?? alone?.replace(/\D/g, '') ?? Number.NaN)
  if (!(seqno <= MOST_SEQNO)) return null
  const found = {
    workchain: Number(workchain ?? -1),
    shard: shardOf(shard ?? MAIN_SHARD),
    seqno,
  }
  const words =
    workchain === undefined ? `Masterchain block ${seqno}` : `Block ${seqno} of workchain ${found.workchain}`
  return { kind: 'block', block: found, words }
}

function hash(text: string): Recognised | null {
  const hex = hexOf(text)
  return hex === null ? null : { kind: 'hash', hex, words: 'Hash' }
}

function opcode(text: string): Recognised | null {
  const digits = /^0x([0-9a-f]{1,8})$/i.exec(text)?.[1]
  if (digits === undefined) return null
  const full = `0x${digits.toLowerCase().padStart(8, '0')}`
  return { kind: 'opcode', opcode: full, words: `Opcode ${full}` }
}

const BOC_BASE64 = /^te6c[\w+/-]{4,}={0,2}$/
const BOC_HEX = /^b5ee9c72[0-9a-f]{8,}$/i

function boc(text: string): Recognised | null {
  const bytes = BOC_HEX.test(text) ? fromHex(text) : BOC_BASE64.test(text) ? fromBase64(text) : null
  if (bytes === null)
    return BOC_HEX.test(text) || BOC_BASE64.test(text)
      ? { kind: 'wrong', words: 'This bag of cells is cut short or damaged.' }
      : null
  return { kind: 'boc', boc: toBase64(bytes), words: `Bag of cells, ${bytes.length} bytes` }
}

const domain = (text: string): Recognised | null =>
  /^[\w-]{1,126}(?:\.[\w-]{1,126})*\.(?:ton|t\.me)$/i.test(text)
    ? { kind: 'domain', name: text.toLowerCase(), words: 'Domain' }
    : null

function method(text: string, methods: readonly string[]): Recognised | null {
  const found = methods.find((name) => name === text) ?? methods.find((name) => name === `v3.${text}`)
  return found === undefined ? null : { kind: 'method', method: found, words: `Method ${found}` }
}

/** What an address begins and ends with, where a page or a message shows it without its middle. */
export interface CutAddress {
  readonly start: string
  readonly end: string
}

/** `EQAb…wxyz`, `0:ab...cd`; null for another text. */
export function cutAddress(text: string): CutAddress | null {
  const [, start, end] = /^((?:[EUk0][Qf]|-1:|0:)[\w+/-]*)\s?(?:[…⋯]|\.{2,}|\*{2,})\s?([\w+/-]{2,})$/.exec(text) ?? []
  return start === undefined || end === undefined ? null : { start, end }
}

/** `3c7f…6802`, as pages show hashes. */
const CUT_HASH = /^(?:0x)?(?=[a-f]*\d)[0-9a-f]{4,}\s?(?:[…⋯]|\.{2,}|\*{2,})\s?[0-9a-f]{4,}$/i

function cut(text: string): Recognised | null {
  const isAddress = cutAddress(text) !== null
  if (!isAddress && !CUT_HASH.test(text)) return null
  const words = isAddress
    ? 'The middle of this address is left out, and others may begin and end like it: copy the whole address.'
    : 'The middle of this hash is left out: copy the whole hash.'
  return { kind: 'wrong', words }
}

/** A text of the length and letters of an address that is not one. */
const brokenAddress = (text: string): Recognised | null =>
  /^[\w+/-]{48}$/.test(text) || /^-?\d+:[0-9a-f]{32,}$/i.test(text)
    ? { kind: 'wrong', words: adviceOnAddress(text) }
    : null

/** A hash with something more, as of a copy that took the next character along. Without a letter it is a number. */
function longHash(text: string): Recognised | null {
  const digits = /^(?:0x)?(?!\d+$)([0-9a-f]{65,99})$/i.exec(text)?.[1]
  return digits === undefined
    ? null
    : { kind: 'wrong', words: `A hash has 64 hex digits, and this has ${digits.length}: copy it again.` }
}

const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isThing = (text: string): boolean => addressOf(text) !== null || hexOf(text) !== null || domain(text) !== null

/**
 * A number in front of a hash that no workchain has, as a logical time in `lt:hash`, is no part of it. A domain with letters of
 * other alphabets, or signs, in front of it or behind it would be another one.
 */
function piecesOf(word: string): readonly string[] {
  if (/[^ -~]/.test(word)) return word.split(/[^ -~]+/).filter((piece) => domain(piece) === null)
  return /^(?:-\d{1,10}|\d{1,6}):[0-9a-f]*$/i.test(word) ? [word] : [word, ...word.split(/[:/]/)]
}

/** What is named in a text: the first address, domain or hash in it, in a link its hash. */
function namedIn(text: string): string | undefined {
  const words = decoded(text)
    .split(/(?:(?=[^ -~])[\p{P}\p{Z}\p{Cc}]|(?=[ -~])[^\w+/.:-])+/u)
    .map((word) => word.replace(/^[.:]+|[.:]+$/g, ''))
    .flatMap(piecesOf)
    .filter(isThing)
  return (/^https?:/i.test(text) ? words.find((word) => hexOf(word) !== null) : undefined) ?? words[0]
}

/** In base64, in a link, or behind a logical time: its slashes are no borders of the path. */
const HASH_IN_PATH = /(?:(?:^|\/)\d+[:_]|:\/\/\S{0,99}\/)([\w+/-]{43})(?![\w+/-])/

/** Of a block in JSON, in the parameters of a link, or as logs name them. */
const BLOCK_FIELDS = /^.{0,99}?\b(?:workchain|wc)\W+?(-?\d{1,10})\W+shard\W+?(-?[0-9a-f]{1,20})\W+seqno\W+(\d{1,10})/is

/** A name of Telegram as people copy it; on the chain it is a domain. */
const TELEGRAM = /^(?:@|(?:https?:\/\/)?(?:t\.me|fragment\.com\/username)\/)([a-z]\w{3,31})\/?$/i

/** The page of a domain at its collection has the name without `.ton`. */
const DNS_PAGE = /^(?:https?:\/\/)?dns\.ton\.org\/#([\w-]+)$/i

/** A text without what is around it where it was copied: characters that are not seen, quotes, the address of a page about it. */
export function searchedText(input: string): string {
  const whole = input.trim()
  if (whole.length > LONGEST) return whole
  const text = whole
    .replace(UNSEEN, '')
    .replace(/^\s*(["'`])(.*)\1\s*$/s, '$2')
    .trim()
    .replace(TELEGRAM, '$1.t.me')
    .replace(DNS_PAGE, '$1.ton')
  const [, place = text] = /^[a-z][a-z\d+.-]*:\/\/([^\s?#]+)/i.exec(text) ?? []
  const [, hash = ''] = HASH_IN_PATH.exec(text) ?? []
  const parts = [...place.split('/'), hash, place].map(decoded).reverse()
  const named = (part: string) => isThing(part) || (/[:,]/.test(part) && block(part) !== null)
  // Where a line was broken there is a gap.
  const solid = text.replace(/\s+/g, '')
  const [, ...id] = BLOCK_FIELDS.exec(text) ?? []
  return (
    parts.find(named) ??
    ((addressOf(solid) ?? hexOf(solid)) ? solid : id.length > 0 ? id.join(':') : (namedIn(text) ?? text))
  )
}

export function classifyText(input: string, { names = new Map(), methods = [] }: Known = {}): Recognised {
  const text = searchedText(input)
  if (text === '') return { kind: 'empty' }
  // Longer texts can only be bags of cells; the other forms are not tried on them.
  if (text.length > LONGEST)
    return boc(text.replace(/\s+/g, '')) ?? { kind: 'wrong', words: 'This is too long to search for.' }
  // A name that was given here may look like one of Telegram.
  for (const name of [input.trim(), text]) {
    const named = names.get(name.toLowerCase())
    if (named !== undefined) return { kind: 'account', raw: named, words: `Account ${name}` }
  }
  return (
    account(text) ??
    block(text) ??
    opcode(text) ??
    hash(text) ??
    boc(text) ??
    domain(text) ??
    method(text, methods) ??
    cut(text) ??
    brokenAddress(text) ??
    longHash(text) ?? { kind: 'text', text, words: 'Search for this text' }
  )
}
