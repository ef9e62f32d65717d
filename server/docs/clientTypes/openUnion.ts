// Unions of objects discriminated by a constant, with an open end: a newer service may send a constant that is not listed. As
// any text the open end would fit every constant, and TypeScript could not narrow: it is a template that none fits.

import { isSchema, type JsonSchema, propertiesOf } from '../components.ts'
import { fieldWords, jsDoc, keyText, partsOf, typeText } from './typeText.ts'

/** Fits no constant of the registry; the compiler needs no more. */
const OPEN_TEXT = ['`$', '{string} (unlisted)`'].join('')

interface OpenUnion {
  /** The discriminator. */
  readonly by: string
  /** The other property. */
  readonly of: string
  readonly listed: readonly (readonly [constant: string, type: string])[]
  /** Type of the other property of what is not listed. */
  readonly open: string
}

const constantOf = (part: JsonSchema, name: string): unknown => propertyOf(part, name).const

function propertyOf(part: JsonSchema, name: string): JsonSchema {
  const [, property = {}] = propertiesOf(part).find(([own]) => own === name) ?? []
  return property
}

/** Null for any other schema. */
function openUnionOf(schema: JsonSchema): OpenUnion | null {
  const parts = partsOf(schema.anyOf)
  const [names = []] = parts.map((part) => propertiesOf(part).map(([name]) => name))
  const by = names.find((name) => parts.filter((part) => constantOf(part, name) !== undefined).length > 1)
  const of = names.find((name) => name !== by)
  const open = by === undefined ? undefined : parts.find((part) => constantOf(part, by) === undefined)
  if (by === undefined || of === undefined || open === undefined || names.length !== 2) return null
  const listed = parts
    .filter((part) => part !== open)
    .map((part) => [String(constantOf(part, by)), typeText(propertyOf(part, of))] as const)
  return { by, of, listed, open: typeText(propertyOf(open, of)) }
}

/** Declarations of a schema that is such a union, or null. `ActionKind` comes with `ActionDetails` and `UnlistedAction`. */
export function openUnionText(name: string, schema: JsonSchema): string | null {
  const union = isSchema(schema) ? openUnionOf(schema) : null
  if (union === null) return null
  const { by, of, listed, open } = union
  const stem = name.replace(/Kind$/, '')
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
  const map = `${stem}${capital(of)}`
  const unlisted = `Unlisted${stem}${capital(by)}`
  const rows = listed.map(([constant, type]) => ` ${keyText(constant)}: ${type}\n`)
  return [
    `/** \`${of}\` by \`${by}\`. */\nexport interface ${map} {\n${rows.join('')}}\n`,
    `${jsDoc(`From a newer service; its text is just that ${by}. To compare it, assign it to a \`string\` first.`, '')}export type ${unlisted} = ${OPEN_TEXT}\n`,
    `${jsDoc(fieldWords(schema), '')}export type ${name} =\n | { [T in keyof ${map}]: { ${by}: T; ${of}: ${map}[T] } }[keyof ${map}]\n | { ${by}: ${unlisted}; ${of}: ${open} }\n`,
  ].join('\n')
}
