// From zod to JSON Schema, all methods at once, so that a schema with an id becomes one shared component however many
// methods use it. A schema differs as input (defaults make a field optional) and output; where the two
// views of one id differ, the input has a name of its own.

import { z } from 'zod'
import type { Registry } from '../../shared/registry.ts'
import { type Adapt, adapt, type SchemaView } from './adapt.ts'
import { joinUnion } from './joinUnion.ts'
import { isSchema, type JsonSchema } from './jsonSchema.ts'

export { isSchema, type JsonSchema } from './jsonSchema.ts'

/** OpenAPI 3.1 uses draft 2020-12, OpenRPC 1.3 draft 7. */
export type SchemaDialect = 'draft-2020-12' | 'draft-7'

export interface MethodSchemas {
  /** An object schema, never a reference. */
  readonly params: JsonSchema
  readonly result: JsonSchema
}

export interface Components {
  readonly methods: ReadonlyMap<string, MethodSchemas>
  /** By name, sorted; what `#/components/schemas/<name>` points at. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** Follows references until a schema that is not one. */
  resolve(schema: JsonSchema): JsonSchema
  /** The shared schemas a part of a document needs, directly or by way of others. */
  usedBy(part: unknown): Readonly<Record<string, JsonSchema>>
}

/** Throws for a method without any. */
export function schemasOf(name: string, { methods }: Pick<Components, 'methods'>): MethodSchemas {
  const schemas = methods.get(name)
  if (!schemas) throw new Error(`${name}: it has no schemas`)
  return schemas
}

export const REFERENCE = '#/components/schemas/'

interface Drawing {
  readonly io: SchemaView
  readonly target: SchemaDialect
  readonly adapt: Adapt
}

const convert = (schema: z.ZodType, { io, target, adapt }: Drawing): JsonSchema =>
  z.toJSONSchema(schema, { io, target, override: (context) => adapt(io, context) })

interface ViewOfAll {
  readonly definitions: ReadonlyMap<string, JsonSchema>
  readonly byMethod: ReadonlyMap<string, JsonSchema>
}

function convertAll(registry: Registry, drawing: Drawing): ViewOfAll {
  const { io, target } = drawing
  const part = (name: string) => (io === 'input' ? registry[name]?.params : registry[name]?.result) ?? z.never()
  const names = Object.keys(registry)
  try {
    const whole = convert(z.object(Object.fromEntries(names.map((name) => [name, part(name)]))), drawing)
    const definitions = whole[target === 'draft-7' ? 'definitions' : '$defs'] ?? {}
    return {
      definitions: new Map(propertiesOf({ properties: definitions })),
      byMethod: new Map(propertiesOf(whole)),
    }
  } catch (cause) {
    const culprit = names.find((name) => !canConvert(part(name), drawing))
    throw new Error(`${culprit ?? 'registry'}: its ${io} cannot be shown as JSON Schema`, { cause })
  }
}

function canConvert(schema: z.ZodType, drawing: Drawing): boolean {
  try {
    convert(schema, drawing)
    return true
  } catch {
    return false
  }
}

const REFERENCE_OF_ZOD = /^#\/(?:\$defs|definitions)\//

/** A copy of a JSON value with each reference replaced by what `visit` returns. */
function mapReferences(value: unknown, visit: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, visit))
  return isSchema(value) ? withReferences(value, visit) : value
}

function withReferences(schema: JsonSchema, visit: (reference: string) => string): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? visit(inner) : mapReferences(inner, visit),
    ]),
  )
}

function referencesOf(value: unknown, prefix: RegExp): Set<string> {
  const found = new Set<string>()
  mapReferences(value, (reference) => {
    if (prefix.test(reference)) found.add(reference.replace(prefix, ''))
    return reference
  })
  return found
}

/** Ids whose two views differ, in themselves or in something they refer to. */
function splitIds(input: ViewOfAll, output: ViewOfAll): Set<string> {
  const split = new Set<string>()
  const differs = (id: string, schema: JsonSchema): boolean => {
    const other = output.definitions.get(id)
    if (!other) return false
    if (JSON.stringify(schema) !== JSON.stringify(other)) return true
    return [...referencesOf(schema, REFERENCE_OF_ZOD)].some((inner) => split.has(inner))
  }
  for (let size = -1; size !== split.size; ) {
    size = split.size
    for (const [id, schema] of input.definitions) if (!split.has(id) && differs(id, schema)) split.add(id)
  }
  return split
}

/** Recursive schemas without an id are numbered by zod; in a document they need a readable name. */
const publicName = (id: string): string => id.replace(/^__schema(\d+)$/, 'Nested$1')

function namesOf(ids: Iterable<string>, taken: ReadonlySet<string>, suffix: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const id of ids) {
    let name = `${publicName(id)}${suffix}`
    while (suffix !== '' && taken.has(name)) name += '_'
    if (!/^[A-Za-z0-9._-]+$/.test(name)) throw new Error(`schema id '${id}' is not a name for a component`)
    names.set(id, name)
  }
  return names
}

/** All schemas of a registry. Throws when one has no JSON Schema, naming the method. */
export function createComponents(registry: Registry, target: SchemaDialect, fit: Adapt = adapt): Components {
  const input = convertAll(registry, { io: 'input', target, adapt: fit })
  const output = convertAll(registry, { io: 'output', target, adapt: fit })
  const split = splitIds(input, output)
  const all = new Set([...input.definitions.keys(), ...output.definitions.keys()].map(publicName))
  const plain = namesOf([...input.definitions.keys(), ...output.definitions.keys()], all, '')
  const inputNames = new Map([...plain, ...namesOf(split, all, 'Input')])
  const rename = (schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema =>
    withReferences(schema, (reference) => {
      const id = reference.replace(REFERENCE_OF_ZOD, '')
      return `${REFERENCE}${names.get(id) ?? id}`
    })

  const drawn = new Map<string, JsonSchema>()
  for (const [id, schema] of output.definitions) drawn.set(plain.get(id) ?? id, rename(schema, plain))
  for (const [id, schema] of input.definitions) drawn.set(inputNames.get(id) ?? id, rename(schema, inputNames))
  const found = fit === adapt ? joinUnions(drawn) : drawn
  const schemas = Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  const resolve = resolver(found)
  const methods = new Map(
    Object.keys(registry).map((name) => [
      name,
      {
        params: resolve(rename(input.byMethod.get(name) ?? {}, inputNames)),
        result: rename(output.byMethod.get(name) ?? {}, plain),
      },
    ]),
  )
  return { methods, schemas, resolve, usedBy: (part) => used(part, schemas) }
}

/** For documents: unions that generators of clients cannot read become objects. */
const joinUnions = (drawn: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> =>
  new Map([...drawn].map(([id, schema]) => [id, joinUnion(schema, resolver(drawn))]))

/** Siblings of a reference win over its target: zod writes a local description or default that way. */
const resolver = (found: ReadonlyMap<string, JsonSchema>) =>
  function resolve(schema: JsonSchema): JsonSchema {
    const target = typeof schema.$ref === 'string' ? found.get(schema.$ref.replace(REFERENCE, '')) : undefined
    if (!target) return schema
    const { $ref: _, ...own } = schema
    return resolve({ ...target, ...own })
  }

function used(part: unknown, schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  const names = new Set<string>()
  const queue: unknown[] = [part]
  for (const next of queue) {
    for (const name of referencesOf(next, /^#\/components\/schemas\//)) {
      if (names.has(name) || !Object.hasOwn(schemas, name)) continue
      names.add(name)
      queue.push(schemas[name])
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)))
}

/** Property schemas of a params object, in declared order. */
export const propertiesOf = (params: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  Object.entries(isSchema(params.properties) ? params.properties : {}).map(([name, schema]) => [
    name,
    isSchema(schema) ? schema : {},
  ])

/** Required names of a params object. */
export const requiredOf = (params: JsonSchema): ReadonlySet<unknown> =>
  new Set(Array.isArray(params.required) ? params.required : [])
