// The words of `@type` in documents. They are added here, for each would be said again in the types of the client.

import { isSchema } from './jsonSchema.ts'

const NAME = '@type'

function named(properties: object): object {
  const one: unknown = Reflect.get(properties, NAME)
  if (!isSchema(one) || typeof one.const !== 'string' || one.description !== undefined) return properties
  return { ...properties, [NAME]: { ...one, description: `Name of this shape, always \`${one.const}\`.` } }
}

/** A part of a document, in which each `@type` that is a constant has a description. */
export function withShapeNames<T>(part: T): T
export function withShapeNames(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((one: unknown) => withShapeNames(one))
  const copied = Object.entries(part).map(([name, inner]: [string, unknown]) => {
    const own = name === 'properties' && isSchema(inner) ? named(inner) : inner
    return [name, withShapeNames(own)] as const
  })
  return Object.fromEntries(copied)
}
