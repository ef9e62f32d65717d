// JSON Schema to the text of a TypeScript type, with descriptions as JSDoc: what an editor shows on hover.

import { isSchema, type JsonSchema, propertiesOf, REFERENCE, requiredOf } from '../components.ts'
import { schemasIn } from '../jsonSchema.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

export const keyText = (name: string): string => (IDENTIFIER.test(name) ? name : `'${name.replaceAll("'", "\\'")}'`)

/** One line where it fits, else a block; a comment end in the text is escaped. */
export function jsDoc(text: string, indent: string): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split('\n')
    .map((line) => line.trimEnd())
  if (lines.length === 1 && lines[0] !== '') return `${indent}/** ${lines[0]} */\n`
  if (lines.every((line) => line === '')) return ''
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}

/** The text for a field: its description and its default. */
export function fieldWords(schema: JsonSchema): string {
  const { description, default: byDefault } = schema
  const words = typeof description === 'string' ? [description] : []
  if (byDefault !== undefined) words.push(`Default: \`${JSON.stringify(byDefault)}\`.`)
  return words.join(' ')
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)

const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ')

/** Brackets around what would read differently before `[]`. */
const element = (text: string): string => (/[|&]| => /.test(text) && !/^[{[(]/.test(text) ? `(${text})` : text)

function arrayText(schema: JsonSchema, indent: string): string {
  const { prefixItems, items } = schema
  const first = schemasIn(prefixItems ?? (Array.isArray(items) ? items : undefined))
  if (first.length > 0) {
    const rest = isSchema(items) ? [`...${element(typeText(items, indent))}[]`] : []
    return `[${[...first.map((item) => typeText(item, indent)), ...rest].join(', ')}]`
  }
  return isSchema(items) ? `${element(typeText(items, indent))}[]` : 'unknown[]'
}

/** A text for each property; `given`: by a caller, who may pass undefined for optional ones. */
export function fieldTexts(schema: JsonSchema, indent: string, given = false): string[] {
  const deeper = `${indent} `
  const required = requiredOf(schema)
  return propertiesOf(schema).map(([name, property]) => {
    const isOptional = !required.has(name)
    const type = `${typeText(property, deeper)}${isOptional && given ? ' | undefined' : ''}`
    return `${jsDoc(fieldWords(property), deeper)}${deeper}${keyText(name)}${isOptional ? '?' : ''}: ${type}\n`
  })
}

/** Braces with a line for each property. */
function objectText(schema: JsonSchema, indent: string): string {
  const lines = fieldTexts(schema, indent)
  const { additionalProperties } = schema
  if (isSchema(additionalProperties) && lines.length === 0) {
    const { propertyNames: names } = schema
    const value = typeText(additionalProperties, indent)
    return isSchema(names) && Array.isArray(names.enum)
      ? `Partial<Record<${typeText(names, indent)}, ${value}>>`
      : `Record<string, ${value}>`
  }
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`
}

/** The pattern of whole numbers in results; documents have no format for them. */
const SIGNED_DIGITS = /^\^-\?\\d\{1,\d+\}\$$/

/** A whole number as text. */
const DIGITS = ['`$', '{bigint}`'].join('')

/** The parts of a choice, those of a choice inside it among them. */
export const partsOf = (value: unknown): readonly JsonSchema[] =>
  schemasIn(value).flatMap((part) => (Array.isArray(part.oneOf) ? schemasIn(part.oneOf) : [part]))

/** The text of a type. References become names of interfaces. */
export function typeText(schema: JsonSchema, indent = ''): string {
  const { $ref, type } = schema
  if (typeof $ref === 'string') return $ref.replace(REFERENCE, '')
  if (schema.const !== undefined) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
  for (const key of ['anyOf', 'oneOf'] as const)
    if (Array.isArray(schema[key])) return union(partsOf(schema[key]).map((part) => typeText(part, indent)))
  if (Array.isArray(schema.allOf))
    return schemasIn(schema.allOf)
      .map((part) => typeText(part, indent))
      .join(' & ')
  if (Array.isArray(type)) return union(type.map((one) => typeText({ ...schema, type: one }, indent)))
  switch (type) {
    case 'string':
      return typeof schema.pattern === 'string' && SIGNED_DIGITS.test(schema.pattern) ? DIGITS : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return arrayText(schema, indent)
    case 'object':
      return objectText(schema, indent)
    default:
      return 'unknown'
  }
}
