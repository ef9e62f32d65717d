/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Those of a list; none of anything else. */
export const schemasIn = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : [])
