// A params schema as text for the table of a page, and as form fields for its script.

import type { CallField, FieldKind } from '../browser/callData.ts'
import { type Components, isSchema, type JsonSchema, propertiesOf, REFERENCE, requiredOf } from '../components.ts'
import { schemasIn } from '../jsonSchema.ts'

export interface ParamRow {
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** JSON text, or null without a default. */
  readonly byDefault: string | null
  readonly bounds: string
  readonly description: string
}

const SAFE = Number.MAX_SAFE_INTEGER

/** `1048576` as `1,048,576`. */
export const groupedFields = (value: number): string =>
  Number.isInteger(value) ? String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',') : String(value)

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) < SAFE ? value : undefined
const alternatives = (schema: JsonSchema): readonly JsonSchema[] => schemasIn(schema.anyOf ?? schema.oneOf)

/** `string (Address)`, `array of integer`, `"asc" | "desc"`: a schema as readable text. */
function typeText(schema: JsonSchema, components: Components, depth = 0): string {
  const id = typeof schema.$ref === 'string' ? schema.$ref.replace(REFERENCE, '') : null
  const plain = components.resolve(schema)
  const text = depth > 3 ? 'value' : plainType(plain, components, depth)
  return id === null || id.startsWith('Nested') ? text : `${text} (${id})`
}

function plainType(schema: JsonSchema, components: Components, depth: number): string {
  const choices = alternatives(schema)
  if (choices.length > 0) return [...new Set(choices.map((one) => typeText(one, components, depth + 1)))].join(' | ')
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'array') return arrayType(schema, components, depth)
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return typeof schema.type === 'string' ? schema.type : 'any'
}

function arrayType(schema: JsonSchema, components: Components, depth: number): string {
  const places = schemasIn(schema.prefixItems)
  if (places.length > 0) return `[${places.map((one) => typeText(one, components, depth + 1)).join(', ')}]`
  return isSchema(schema.items) ? `array of ${typeText(schema.items, components, depth + 1)}` : 'array'
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  const tail = unit === '' ? '' : ` ${unit}`
  if (low !== undefined && high !== undefined) {
    return low === high
      ? `exactly ${groupedFields(low)}${tail}`
      : `${groupedFields(low)} to ${groupedFields(high)}${tail}`
  }
  if (low !== undefined) return `at least ${groupedFields(low)}${tail}`
  return high === undefined ? '' : `at most ${groupedFields(high)}${tail}`
}

const INT32 = 2 ** 31

/** A bound that only repeats the width of the number is left out. */
const telling = (bound: number | undefined): number | undefined =>
  bound === undefined || bound <= -INT32 || bound >= INT32 - 2 ? undefined : bound

/** Bounds of a resolved schema: of its value, its length, its items. */
function boundsText(schema: JsonSchema, components: Components): string {
  const items = isSchema(schema.items) ? boundsText(components.resolve(schema.items), components) : ''
  return [
    range(telling(numberOf(schema.minimum)), telling(numberOf(schema.maximum)), ''),
    range(numberOf(schema.minLength), numberOf(schema.maxLength), 'characters'),
    range(numberOf(schema.minItems), numberOf(schema.maxItems), 'items'),
    items && `each ${items}`,
  ]
    .filter((text) => text !== '')
    .join('; ')
}

/** Rows of the parameters table, in declared order. */
export function paramRows(params: JsonSchema, components: Components): readonly ParamRow[] {
  const required = requiredOf(params)
  return propertiesOf(params).map(([name, schema]) => {
    const plain = components.resolve(schema)
    return {
      name,
      type: typeText(schema, components),
      required: required.has(name),
      byDefault: plain.default === undefined ? null : JSON.stringify(plain.default),
      bounds: boundsText(plain, components),
      description: typeof plain.description === 'string' ? plain.description : '',
    }
  })
}

function kindOf(schema: JsonSchema, components: Components): FieldKind {
  const choices = alternatives(schema)
    .map((one) => components.resolve(one))
    .filter((one) => one.type !== 'null')
  const [only] = choices
  if (only && choices.length === 1) return kindOf(only, components)
  if (choices.length > 1) return choices.every((one) => kindOf(one, components) === 'text') ? 'text' : 'any'
  if (Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string')) return 'choice'
  if (schema.type === 'array') return itemOf(schema, components) ? 'list' : 'json'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'boolean'
  return schema.type === 'object' ? 'json' : 'any'
}

function itemOf(schema: JsonSchema, components: Components): CallField['item'] {
  if (!isSchema(schema.items)) return undefined
  const kind = kindOf(components.resolve(schema.items), components)
  if (kind === 'number' || kind === 'text') return kind
  return kind === 'choice' ? 'text' : kind === 'any' || kind === 'boolean' ? 'any' : undefined
}

/** The text a form field starts with, for a value of the example. */
function initialOf(kind: FieldKind, value: unknown): string {
  const word = (one: unknown) => (typeof one === 'string' ? one : JSON.stringify(one))
  if (kind === 'list' && Array.isArray(value)) return value.map(word).join('\n')
  return kind === 'json' ? JSON.stringify(value, null, 2) : word(value)
}

/** The cast: a computed key loses its name. */
const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

/** The same fields, filled with an example. */
export const filledFields = (
  fields: readonly CallField[],
  example: Readonly<Record<string, unknown>>,
): readonly CallField[] =>
  fields.map((field) => {
    const value = Object.hasOwn(example, field.name) ? example[field.name] : undefined
    return value === undefined ? field : { ...field, initial: initialOf(field.kind, value) }
  })

/** Form fields for the page's script, empty. */
export function fieldTableOf(params: JsonSchema, components: Components): readonly CallField[] {
  const required = requiredOf(params)
  return propertiesOf(params).map(([name, schema]): CallField => {
    const plain = components.resolve(schema)
    const kind = kindOf(plain, components)
    return {
      name,
      kind,
      required: required.has(name),
      ...given('item', kind === 'list' ? itemOf(plain, components) : undefined),
      ...given('options', kind === 'choice' && Array.isArray(plain.enum) ? plain.enum.map(String) : undefined),
      ...given('min', numberOf(plain.minimum)),
      ...given('max', numberOf(plain.maximum)),
      ...given('maxLength', numberOf(plain.maxLength)),
      ...given('hint', typeof plain.description === 'string' ? plain.description : undefined),
      ...given('placeholder', plain.default === undefined ? undefined : `default ${JSON.stringify(plain.default)}`),
    }
  })
}
