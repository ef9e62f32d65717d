// A subscription, read from the object that a client sends. Rules are checked in a fixed order and the first that is broken
// is reported, with the texts of other services of this interface.

import { z } from 'zod'
import { fitsFriendly, parseAddress, toRawUpper } from '../../shared/address.ts'
import { toBase64 } from '../../shared/base64.ts'
import { isObject } from '../../shared/isObject.ts'
import { fieldRefusal } from '../../shared/parseFields.ts'
import { clip, withDigits } from '../../shared/primitives.ts'
import { STREAM_TYPES } from '../../shared/subscribable.ts'
import { HashFilter, OpcodeFilter } from '../../shared/v3/filters.ts'
import { supportedTypes } from '../actions/index.ts'
import { FINALITIES, type Finality } from '../methods/index.ts'
import { EVERY_ACCOUNT, isOfAnyAccount, NOT_ALL_ACCOUNTS, type Subscription } from './streamSubscription.ts'

/** The request was understood and is refused. */
export class SubscriptionRefused extends Error {}

/** On one transport or the other some texts differ. */
export type StreamTransport = 'sse' | 'socket'

/** A word that is accepted and changes nothing: invalidations go to all that were notified of the trace. */
const INVALIDATIONS = 'trace_invalidated'
const NOW = 'now'

/** Longest texts and lists; the size of the whole request is bounded by its transport. */
const WORD = 256
const words = z.array(z.string().max(WORD)).nullish()

const Request = z.object({
  types: words,
  addresses: words,
  trace_external_hash_norms: words,
  // Their number is checked before they are.
  opcodes: z.array(z.unknown()).nullish(),
  min_finality: z.string().max(WORD).nullish(),
  action_types: words,
  supported_action_types: words,
  include_address_book: z.boolean().nullish(),
  include_metadata: z.boolean().nullish(),
  after: z.string().max(WORD).nullish(),
  progress: z.boolean().nullish(),
  pending_messages: z.boolean().nullish(),
})

export interface SubscriptionRules {
  readonly transport: StreamTransport
  /** Instead of the default types of actions. */
  readonly actionsVersion: string | null
  /** Addresses of one connection at most. */
  readonly maxAddresses: number
  /** Whether the caller may follow all accounts at once; not when absent. */
  readonly allAccounts?: boolean | undefined
}

const NOT_ALONE = `addresses: "${EVERY_ACCOUNT}" stands for all accounts, and cannot be listed with others`

const refuse = (text: string): never => {
  throw new SubscriptionRefused(text)
}

function readAddress(text: string): string {
  if (text.trim() === EVERY_ACCOUNT) return EVERY_ACCOUNT
  const address = parseAddress(text.trim())
  if (address === null || !fitsFriendly(address)) return refuse(`invalid address: ${clip(text)}`)
  return toRawUpper(address)
}

function readHash(text: string): string {
  const read = HashFilter.safeParse(text)
  return read.success ? toBase64(read.data) : refuse(`invalid hash: ${clip(text)}`)
}

/** Of one connection, as of one webhook. */
export const MOST_OPCODES = 1000
const INT32 = 2 ** 31

/** Signed. */
function readOpcode(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= -INT32 && value < 2 * INT32) return value | 0
  const read = OpcodeFilter.safeParse(value)
  if (read.success) return read.data
  return refuse(
    `invalid opcode: ${clip(typeof value === 'object' ? JSON.stringify(value, withDigits) : String(value))}`,
  )
}

function readOpcodes(list: readonly unknown[]): ReadonlySet<number> {
  if (list.length > MOST_OPCODES) return refuse(`too many opcodes: ${list.length} > max ${MOST_OPCODES}`)
  return new Set(list.map(readOpcode))
}

function readFinality(text: string | null | undefined): Finality {
  return FINALITIES.find((one) => one === (text ?? 'finalized')) ?? refuse(`invalid min_finality: ${clip(text ?? '')}`)
}

const needsOf: ReadonlyMap<string, (typeof STREAM_TYPES)[number]['needs']> = new Map(
  STREAM_TYPES.map(({ name, needs }) => [name, needs]),
)

function readTypes(list: readonly string[] | null | undefined, transport: StreamTransport): ReadonlySet<string> {
  if (!list?.length) return refuse(transport === 'sse' ? 'types are required for subscription' : 'types are required')
  for (const type of list)
    if (type !== INVALIDATIONS && !needsOf.has(type)) return refuse(`invalid event type: ${clip(type)}`)
  return new Set(list)
}

/** Names of one piece: a fraction of a millisecond. */
const PIECE = 100

function* readingEach(texts: readonly string[], read: (text: string) => string): Generator<void, Set<string>> {
  const names = new Set<string>()
  for (const [i, text] of texts.entries()) {
    names.add(read(text))
    if (i % PIECE === PIECE - 1) yield
  }
  return names
}

export interface ListedNames {
  readonly addresses: readonly string[]
  readonly hashes: readonly string[]
}

/** Addresses and hashes that a request lists, thousands of them where they are not limited. Throws SubscriptionRefused. */
export function* readingNames({ addresses, hashes }: ListedNames) {
  return { addresses: yield* readingEach(addresses, readAddress), hashes: yield* readingEach(hashes, readHash) }
}

/** Whether reading it should wait for a turn of its own. */
export const hasManyNames = (value: unknown): boolean =>
  isObject(value) && Object.values(value).some((one) => Array.isArray(one) && one.length > PIECE)

const isWord = (one: unknown): boolean => typeof one === 'string' && one.length <= WORD

/**
 * Each text of a list once. A list with something else in it ends there: that is what is reported, and a request has room for
 * thousands more.
 */
function shortened(value: unknown): unknown {
  if (!isObject(value) || !hasManyNames(value)) return value
  const cut = (list: unknown, name: string): unknown => {
    if (!Array.isArray(list) || name === 'opcodes') return list
    const wrong = list.findIndex((one) => !isWord(one))
    return wrong < 0 ? [...new Set(list)] : list.slice(0, wrong + 1)
  }
  return Object.fromEntries(Object.entries(value).map(([name, list]) => [name, cut(list, name)]))
}

const supportedByDefault: ReadonlySet<string> = new Set(supportedTypes([]))

/** One set for all that name no types: what they receive is found out once. */
const supportedSet = (given: readonly string[]): ReadonlySet<string> =>
  given.length === 0 ? supportedByDefault : new Set(supportedTypes([...given]))

type Names = Pick<Subscription, 'types' | 'addresses' | 'hashes' | 'opcodes'>

/** Throws SubscriptionRefused where a list is missing that a type needs, or there is one that none needs. */
function demandNames({ types, addresses, hashes, opcodes }: Names, rules: SubscriptionRules): void {
  const { transport, maxAddresses, allAccounts = false } = rules
  // The word that changes nothing counts as one of those with addresses.
  const needs = new Set([...types].map((type) => (type === INVALIDATIONS ? 'addresses' : needsOf.get(type))))
  if (hashes.size > 0 && !types.has('trace')) refuse('trace_external_hash_norms requires type "trace"')
  if (types.has('trace') && hashes.size === 0) refuse('trace_external_hash_norms are required for trace subscription')
  if (opcodes.size > 0 && !types.has('messages')) refuse('opcodes requires type "messages"')
  if (types.has('messages') && opcodes.size === 0) refuse('opcodes are required for messages subscription')
  if (needs.has('addresses') && addresses.size === 0)
    refuse(transport === 'sse' ? 'addresses are required for subscription' : 'addresses are required')
  if (addresses.has(EVERY_ACCOUNT) && addresses.size > 1) refuse(NOT_ALONE)
  if (!allAccounts && isOfAnyAccount({ addresses, opcodes, namesNoAccount: addresses.size === 0 }))
    refuse(NOT_ALL_ACCOUNTS)
  if (addresses.size > maxAddresses)
    refuse(
      transport === 'sse'
        ? `too many addresses: ${addresses.size} > max ${maxAddresses}`
        : `address limit exceeded: current 0 + new ${addresses.size} > max ${maxAddresses}`,
    )
}

/** In pieces. Throws SubscriptionRefused. */
export function* readingSubscription(value: unknown, rules: SubscriptionRules): Generator<void, Subscription> {
  const { transport, actionsVersion } = rules
  const read = Request.safeParse(shortened(value))
  const opening = transport === 'sse' ? 'invalid subscription request' : 'invalid subscribe request'
  if (!read.success) return refuse(`${opening}: ${fieldRefusal(read.error, value)}`)
  const request = read.data
  const types = readTypes(request.types, transport)
  const { addresses, hashes } = yield* readingNames({
    addresses: request.addresses ?? [],
    hashes: request.trace_external_hash_norms ?? [],
  })
  const opcodes = readOpcodes(request.opcodes ?? [])
  demandNames({ types, addresses, hashes, opcodes }, rules)
  const given = request.supported_action_types ?? []
  const supported = given.length > 0 ? given : actionsVersion === null ? [] : [actionsVersion]
  const { after } = request
  return {
    types,
    addresses,
    hashes,
    opcodes,
    namesNoAccount: addresses.size === 0,
    minFinality: readFinality(request.min_finality),
    actionTypes: request.action_types?.length ? new Set(request.action_types) : null,
    supportedTypes: supportedSet(supported),
    addressBook: request.include_address_book ?? false,
    metadata: request.include_metadata ?? false,
    after: after === null || after === undefined || after === NOW ? null : after,
    progress: request.progress ?? false,
    pendingMessages: request.pending_messages ?? false,
  }
}
