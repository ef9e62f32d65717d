// An object together with a union of further fields, as one object: generators of clients have no type for the first
// form. The fields of each kind are left to the client's own types, which have the union.

import { isSchema, type JsonSchema, schemasIn } from './jsonSchema.ts'

type Resolve = (schema: JsonSchema) => JsonSchema

const fieldsOf = ({ properties }: JsonSchema): JsonSchema => (isSchema(properties) ? properties : {})

const requiredOf = ({ required }: JsonSchema): readonly unknown[] => (Array.isArray(required) ? required : [])

/** The objects of a union, those of unions within it included; empty for anything else. */
function choicesOf(schema: JsonSchema, resolve: Resolve): readonly JsonSchema[] {
  const choices = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)]
  return choices.flatMap((one) => {
    const target = resolve(one)
    return target.type === 'object' ? [target] : choicesOf(target, resolve)
  })
}

/** A field without what depends on the kind: its plain type and words. */
function anyOfKind(field: unknown): JsonSchema {
  const { type, description } = isSchema(field) ? field : {}
  return { ...(type === 'string' ? { type } : { type: 'object', additionalProperties: true }), description }
}

function constantOf(choice: JsonSchema, tag: string): string | null {
  const field = fieldsOf(choice)[tag]
  return isSchema(field) && typeof field.const === 'string' ? field.const : null
}

/** The same schema with such a union joined; itself when it has none. */
export function joinUnion(schema: JsonSchema, resolve: Resolve): JsonSchema {
  const parts = schemasIn(schema.allOf).map(resolve)
  const [facts, union] = parts
  if (facts?.type !== 'object' || union === undefined || parts.length !== 2) return schema
  const choices = choicesOf(union, resolve)
  const [first] = choices
  const tag = first && Object.keys(fieldsOf(first)).find((name) => constantOf(first, name) !== null)
  if (first === undefined || tag === undefined) return schema
  const { allOf: _, ...rest } = schema
  const joined = Object.entries(fieldsOf(first)).map(([name, field]) => [name, anyOfKind(field)])
  return {
    ...rest,
    type: 'object',
    properties: { ...fieldsOf(facts), ...Object.fromEntries(joined) },
    required: [...requiredOf(facts), ...requiredOf(first)],
  }
}
