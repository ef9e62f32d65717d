// Adapts the JSON Schema of zod for documents, as readers and client generators understand it.

import { z } from 'zod'
import { isSchema, type JsonSchema as PlainSchema } from './jsonSchema.ts'

/** A schema of input, where defaults make a field optional, or of output. */
export type SchemaView = 'input' | 'output'

const MAX_INT32 = 2 ** 31 - 1

type OverrideContext = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]

/** zod leaves out a default after a transform, as it may be invalid input; valid ones are restored here. */
function restoreDefault({ zodSchema, jsonSchema }: OverrideContext): void {
  const { def } = zodSchema._zod
  if (def.type !== 'default' || jsonSchema.default !== undefined) return
  const value: unknown = def.defaultValue
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
  const again = z.safeParse(zodSchema, value)
  if (again.success && again.data === value) jsonSchema.default = value
}

/** Replies may grow: only a strict object promises that nothing else is in it. */
function leaveOpen({ zodSchema, jsonSchema }: OverrideContext): void {
  const { def } = zodSchema._zod
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties
}

/** Formats of the registry's own are for the service: readers of a document have a pattern, and some warn of the rest. */
const OWN_FORMAT = /^(?:digits|boc|ton-.*)$/

function dropOwnFormat({ jsonSchema }: OverrideContext): void {
  if (jsonSchema.format !== undefined && OWN_FORMAT.test(jsonSchema.format)) delete jsonSchema.format
}

/** Several generators of clients refuse `items: false`, by which zod closes a tuple. */
function closeByLength({ zodSchema, jsonSchema }: OverrideContext): void {
  const { prefixItems } = jsonSchema
  if (zodSchema._zod.def.type !== 'tuple' || prefixItems === undefined || jsonSchema.items !== false) return
  delete jsonSchema.items
  jsonSchema.minItems = jsonSchema.maxItems = prefixItems.length
}

type JsonSchema = OverrideContext['jsonSchema']

const isPair = (schema: JsonSchema): boolean => schema.type === 'array' && schema.prefixItems?.length === 2

const isText = ({ type, const: constant }: PlainSchema): boolean => type === 'string' && constant === undefined

/** Constants as one enumeration, and none next to any text: generators take a single constant for the only value. */
const choiceOf = (choices: readonly unknown[]): object => {
  const schemas = choices.filter(isSchema)
  const constants = schemas.map((schema) => schema.const)
  if (constants.every((constant) => typeof constant === 'string'))
    return { type: 'string', enum: [...new Set(constants)] }
  const hasText = schemas.some(isText)
  return { anyOf: schemas.filter((schema) => !hasText || typeof schema.const !== 'string') }
}

/** Generators have no type for a choice of arrays: pairs of several kinds become one pair of choices. */
function joinPairs({ jsonSchema }: OverrideContext): void {
  const pairs = jsonSchema.anyOf
  if (pairs === undefined || !pairs.every(isPair)) return
  delete jsonSchema.anyOf
  const prefixItems = [0, 1].map((at) => choiceOf(pairs.flatMap((pair) => pair.prefixItems?.[at] ?? [])))
  Object.assign(jsonSchema, { type: 'array', prefixItems, minItems: 2, maxItems: 2 })
}

/** Replaces what generators cannot read: a boolean constant, a default of a choice of types, a null with a description. */
function sayPlainly({ jsonSchema }: OverrideContext): void {
  if (typeof jsonSchema.const === 'boolean') {
    jsonSchema.description ??= `Always ${jsonSchema.const}.`
    delete jsonSchema.const
  }
  if (jsonSchema.anyOf !== undefined) delete jsonSchema.default
  if (jsonSchema.type === 'null') delete jsonSchema.description
}

/** openapi-generator fails on a field whose only type is null, or refers to a type it does not make; a constant it takes. */
function nullsAsConstants({ jsonSchema }: OverrideContext): void {
  for (const field of Object.values(jsonSchema.properties ?? {})) {
    if (typeof field !== 'object' || field.type !== 'null') continue
    delete field.type
    field.const = null
  }
}

/** Names and types of the fields of each object in a union, without their values; null where one is no object. */
function shapesIn(type: z.core.$ZodType): readonly string[] | null {
  if (type instanceof z.core.$ZodObject)
    return [JSON.stringify(Object.entries(type._zod.def.shape).map(([name, field]) => [name, field._zod.def.type]))]
  if (!(type instanceof z.core.$ZodUnion)) return null
  const shapes = type._zod.def.options.map(shapesIn)
  return shapes.includes(null) ? null : shapes.flatMap((one) => one ?? [])
}

/**
 * Makes a choice of objects `oneOf`: from `anyOf` openapi-generator makes one object, for Rust with all that each requires. Choices
 * of one shape stay: a client for Go compares no values, and refuses a reply that fits two.
 */
function chooseOneObject({ zodSchema, jsonSchema }: OverrideContext): void {
  const { anyOf } = jsonSchema
  const shapes = shapesIn(zodSchema)
  if (anyOf === undefined || shapes === null || new Set(shapes).size < shapes.length) return
  // One that only describes another refers to it, and says no more.
  if (jsonSchema.$ref === undefined) jsonSchema.oneOf = anyOf
  delete jsonSchema.anyOf
}

/** A list of values bounds itself: a length beside it, as of the text before it was compared, breaks generators of validators. */
function boundByValues({ jsonSchema }: OverrideContext): void {
  if (jsonSchema.enum !== undefined) delete jsonSchema.maxLength
}

/** Generators for Java, Kotlin, C#, Go and Rust read 32 bits where no format says more, and refuse or cut what exceeds them. */
function widenIntegers({ jsonSchema }: OverrideContext): void {
  if (jsonSchema.type !== 'integer' || jsonSchema.enum !== undefined) return
  if (jsonSchema.maximum === undefined || jsonSchema.maximum > MAX_INT32) jsonSchema.format = 'int64'
}

/** Adapts a schema for its reader. */
export type Adapt = (view: SchemaView, context: OverrideContext) => void

/** For types: as exact as the registry, without what generators of clients need. */
export const adaptForTypes: Adapt = (view, context) => {
  if (view === 'input') restoreDefault(context)
  else leaveOpen(context)
}

export const adapt: Adapt = (view, context) => {
  if (view === 'input') restoreDefault(context)
  else leaveOpen(context)
  dropOwnFormat(context)
  closeByLength(context)
  joinPairs(context)
  chooseOneObject(context)
  boundByValues(context)
  sayPlainly(context)
  nullsAsConstants(context)
  widenIntegers(context)
}
