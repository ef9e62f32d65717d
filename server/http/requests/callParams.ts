// Params as a caller sends them (query text, JSON of loose types, a positional list) made into the JSON types a schema
// names. What does not fit is left as it is, so that the schema words the refusal.

import { z } from 'zod'
import { ApiError } from '../../../shared/errors.ts'
import { clip } from '../../../shared/primitives.ts'
import type { MethodSpec, Registry } from '../../../shared/registry.ts'

/** `switch` is a boolean of v3, which has fewer words for one. */
type Kind = 'text' | 'digits' | 'integer' | 'number' | 'boolean' | 'switch' | 'free'

interface Field {
  /** Its name with the brackets that callers of v3 may write behind that of a list. */
  readonly bracketed: string
  readonly kind: Kind
  readonly list: boolean
  /** Items of a list that are read: with one more than allowed it is refused, and a body has room for half a million. */
  readonly mostItems: number
  /** Of a list: a query may name several values at once, as none of them can have a comma in it. */
  readonly commas: boolean
  /** Without a text it counts as left out. */
  readonly emptyIsAbsent: boolean
}

/** What is known of a method's params, in declared order: that is the order of positional calls. */
export type ParamPlan = ReadonlyMap<string, Field>

type JsonSchema = z.core.JSONSchema.JSONSchema
/** Of anything and of nothing there are schemas that are no objects. */
type SchemaPart = JsonSchema | boolean | undefined

const NAME_FORMATS = new Set(['ton-address', 'ton-hash'])

/** A method without a query takes JSON booleans only. */
function booleanKind({ rest }: MethodSpec): Kind {
  if (rest.some(({ verb }) => verb === 'POST') && !rest.some(({ verb }) => verb === 'GET')) return 'free'
  return rest.some(({ path }) => path.startsWith('/api/v3/')) ? 'switch' : 'boolean'
}

/** Callers of v3 may write these behind the name of a list. */
export const BRACKETS = '[]'

/** What `split` takes as its limit is a whole number of 32 bits, and infinity counts as none. */
const UNBOUNDED = 2 ** 32 - 2

/** Reads the plan off the schema's public JSON Schema. */
function planOf(spec: MethodSpec): ParamPlan {
  const schema: JsonSchema = z.toJSONSchema(spec.params, { io: 'input', unrepresentable: 'any' })
  const resolve = (part: SchemaPart): JsonSchema => {
    if (typeof part !== 'object') return {}
    return part.$ref ? resolve(schema.$defs?.[part.$ref.replace('#/$defs/', '')]) : part
  }
  const kindOf = (part: JsonSchema): Kind => {
    if (part.type === 'integer' || part.type === 'number') return part.type
    if (part.type === 'boolean') return booleanKind(spec)
    if (part.type === 'string') return part.format === 'digits' ? 'digits' : 'text'
    return 'free'
  }
  const plan = new Map<string, Field>()
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const part = resolve(property)
    const list = part.type === 'array'
    const items = list && typeof part.items === 'object' && !Array.isArray(part.items) ? part.items : part
    const value = resolve(items)
    const named = NAME_FORMATS.has(value.format ?? '')
    const isFilter = list || named
    const emptyIsAbsent = spec.emptyIsAbsent === true || (spec.emptyIsAbsent === 'exceptFilters' && !isFilter)
    const mostItems = (part.maxItems ?? UNBOUNDED) + 1
    const bracketed = name + BRACKETS
    plan.set(name, { bracketed, kind: kindOf(value), list, mostItems, commas: list && named, emptyIsAbsent })
  }
  return plan
}

/** Parsing plans of methods by name, each made on first use: all at once would delay every start. */
export interface Plans {
  get(name: string): ParamPlan | undefined
}

export function plansOf(registry: Registry): Plans {
  const made = new Map<string, ParamPlan>()
  return {
    get(name) {
      const known = made.get(name)
      if (known !== undefined) return known
      const spec = Object.hasOwn(registry, name) ? registry[name] : undefined
      if (spec === undefined) return undefined
      const plan = planOf(spec)
      made.set(name, plan)
      return plan
    },
  }
}

const TRUE = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const FALSE = new Set(['n', 'no', 'f', 'false', 'off', '0'])

export function toBoolean(text: string): boolean | string {
  const word = text.toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : text
}

const ON = new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on'])
const OFF = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

const toSwitch = (text: string): boolean | string => (ON.has(text) ? true : OFF.has(text) ? false : text)

const toInteger = (text: string): number | string => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)

const toNumber = (text: string): number | string =>
  /^-?\d{1,15}(?:\.\d{0,15})?(?:[eE][+-]?\d{1,2})?$/.test(text) ? Number(text) : text

/** A bigint has no JSON form: it becomes digits at any depth. */
function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(withoutBigints)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBigints(inner)]))
}

function fitText(kind: Kind, text: string): unknown {
  if (kind === 'integer') return toInteger(text)
  if (kind === 'number') return toNumber(text)
  if (kind === 'boolean') return toBoolean(text)
  if (kind === 'switch') return toSwitch(text)
  return text
}

function fitValue(kind: Kind, value: unknown): unknown {
  if (typeof value === 'string') return fitText(kind, value)
  if (typeof value === 'bigint') return kind === 'integer' || kind === 'number' ? Number(value) : value.toString()
  if (typeof value === 'number') {
    if (kind === 'digits' && Number.isSafeInteger(value)) return String(value)
    return kind === 'boolean' && Number.isInteger(value) ? value !== 0 : value
  }
  return typeof value === 'object' && value !== null ? withoutBigints(value) : value
}

const fitField = ({ kind, list, mostItems }: Field, value: unknown): unknown =>
  list && Array.isArray(value) ? value.slice(0, mostItems).map((item) => fitValue(kind, item)) : fitValue(kind, value)

/** v2 takes an empty boolean for one not given; v3 takes an empty value for the least one, where there is one. */
function fitEmpty(kind: Kind, version: 'v2' | 'v3'): unknown {
  if (version === 'v3') return kind === 'integer' ? 0 : kind === 'switch' ? false : ''
  return kind === 'boolean' ? undefined : ''
}

type Values = ReadonlyMap<string, readonly string[]>

function valuesByName(plan: ParamPlan, text: string): Values {
  const values = new Map<string, string[]>()
  const add = (name: string, value: string): void => {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  if (readShort(text, add)) return values
  values.clear()
  const isKnown = (name: string) => plan.has(name.endsWith(BRACKETS) ? name.slice(0, -BRACKETS.length) : name)
  for (const [name, value] of namedQuery(text, isKnown)) add(name, value)
  return values
}

const NONE: readonly string[] = []

function listOf(name: string, field: Field, query: Values): readonly string[] {
  const plain = query.get(name)
  const bracketed = query.get(field.bracketed)
  if (plain === undefined && bracketed === undefined) return NONE
  const all = [...(plain ?? NONE), ...(bracketed ?? NONE)]
  const given = field.emptyIsAbsent ? all.filter((text) => text !== '') : all
  const listed = field.commas ? given.flatMap((text) => text.split(',', field.mostItems)) : given
  return listed.slice(0, field.mostItems)
}

/** Names the plan does not have are ignored; of a scalar sent twice the last counts; a list is always a list. */
export function paramsOfQuery(plan: ParamPlan, text: string, version: 'v2' | 'v3'): Record<string, unknown> {
  const query = valuesByName(plan, text)
  const params: Record<string, unknown> = {}
  for (const [name, field] of plan) {
    if (field.list) {
      const values = listOf(name, field, query)
      if (values.length > 0) params[name] = values.map((text) => fitText(field.kind, text))
      continue
    }
    const last = query.get(name)?.at(-1)
    if (last === '' && field.emptyIsAbsent) continue
    const fitting = last === '' ? fitEmpty(field.kind, version) : last && fitText(field.kind, last)
    if (fitting !== undefined) params[name] = fitting
  }
  return params
}

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object'

/** `null` counts as not given. A name the plan does not have is ignored or, when `strict`, refused by name. */
export function paramsOfObject(plan: ParamPlan, given: object, strict: boolean): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    const field = plan.get(name)
    if (!field) {
      if (!strict) continue
      const known = [...plan.keys()].join(', ') || 'none'
      throw new ApiError('invalidParams', `unknown parameter "${clip(name)}": known are ${known}`, {
        param: clip(name),
      })
    }
    const value: unknown = Reflect.get(given, name)
    // A query cannot distinguish one value from a list of one, so JSON callers need no brackets either.
    const fitting = !strict && field.list && isScalar(value) ? [value] : value
    if (fitting !== null) params[name] = fitField(field, fitting)
  }
  return params
}

/** By declared order; `null` leaves one out. */
export function paramsOfList(plan: ParamPlan, given: readonly unknown[]): Record<string, unknown> {
  if (given.length > plan.size) {
    throw new ApiError('invalidParams', `too many params: ${plan.size} at most`, { limit: plan.size })
  }
  const names = [...plan.keys()]
  return paramsOfObject(plan, Object.fromEntries(given.map((value, i) => [names[i], value])), true)
}

/** Shorter ones are decoded as they are. */
const LONG_QUERY = 4096

/** Null where the escapes are not those of whole characters. */
function unescaped(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}

/** Reads a short query as `URLSearchParams` does, in half of its time; false when that has to read it. */
function readShort(query: string, add: (name: string, value: string) => void): boolean {
  if (query.length > LONG_QUERY || query.startsWith('?')) return false
  for (const part of query.split('&')) {
    if (part === '') continue
    const mark = part.indexOf('=')
    const name = unescaped(mark < 0 ? part : part.slice(0, mark))
    const value = mark < 0 ? '' : unescaped(part.slice(mark + 1))
    if (name === null || value === null) return false
    add(name, value)
  }
  return true
}

/** Names with escapes in them are kept: what they are is known once they are decoded. */
function isWanted(part: string, wants: (name: string) => boolean): boolean {
  const end = part.indexOf('=')
  const name = end < 0 ? part : part.slice(0, end)
  return name.includes('%') || wants(name)
}

/**
 * The parameters of the names that are wanted, and maybe others. On v3 paths there is room for a hundred thousand characters, and
 * to decode all takes a millisecond each time.
 */
export const namedQuery = (query: string, wants: (name: string) => boolean): URLSearchParams =>
  new URLSearchParams(
    query.length <= LONG_QUERY
      ? query
      : query
          .split('&')
          .filter((part) => isWanted(part, wants))
          .join('&'),
  )
