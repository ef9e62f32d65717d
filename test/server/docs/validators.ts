// The public meta-schemas of the two kinds of documents, and values against the schemas of a document.

import { createRequire } from 'node:module'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Json = Record<string, unknown>

/** Its typings declare types only. */
const openRpcMeta: { openrpcDocument: Json } = createRequire(import.meta.url)('@open-rpc/meta-schema')

/** Stands for a schema the OpenRPC one points at across the network: draft 7, and the one part that is named. */
const jsonSchema = ($id: string) => ({
  $id,
  allOf: [{ $ref: 'http://json-schema.org/draft-07/schema#' }],
  definitions: { JSONSchemaObject: { properties: { $ref: { type: 'string' } } } },
})

/** What is wrong with an OpenAPI document; empty when nothing is. */
export async function openApiProblems(document: object): Promise<unknown> {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document) as Json)
  return valid ? [] : errors
}

/** What is wrong with an OpenRPC document; empty when nothing is. */
export function openRpcProblems(document: object): unknown {
  const { $schema: _, ...meta } = structuredClone(openRpcMeta.openrpcDocument)
  const ajv = new Ajv({ strict: false, logger: false })
  // It is pointed at in both spellings, and ajv takes them for two.
  ajv.addSchema(['https://meta.json-schema.tools', 'https://meta.json-schema.tools/'].map(jsonSchema))
  const validate = ajv.compile(meta)
  return validate(document) ? [] : validate.errors
}

/** Checks values against schemas that stand in a document and refer to its components. */
export function valueChecker(document: object, draft: 'draft-2020-12' | 'draft-7') {
  const ajv =
    draft === 'draft-7' ? new Ajv({ strict: false, logger: false }) : new Ajv2020({ strict: false, logger: false })
  ajv.addSchema({ $id: 'https://document.test/', ...document })
  const rebased = (schema: unknown): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"https://document.test/#/components/'))
  return (schema: unknown, value: unknown): unknown => {
    const validate = ajv.compile(rebased(schema))
    return validate(value) ? [] : validate.errors
  }
}

/** What a strict reader of a document's schemas complains of; empty when nothing. */
export function strictProblems(document: { readonly components: { readonly schemas: object } }): string[] {
  const said: string[] = []
  const note = (...words: unknown[]) => void said.push(words.join(' '))
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, logger: { log: note, warn: note, error: note } })
  // The one format of a number that OpenAPI itself names and the documents use.
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
  ajv.addSchema({ $id: 'https://document.test/', $defs: rebase(document.components.schemas, '#/$defs/') })
  for (const name of Object.keys(document.components.schemas)) {
    try {
      ajv.compile({ $ref: `https://document.test/#/$defs/${name}` })
    } catch (error) {
      said.push(`${name}: ${String(error)}`)
    }
  }
  return said
}

const rebase = (schema: unknown, to: string): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${to}`))

/** Paths of everything in a value that JSON has no word for. */
export function notJson(value: unknown, path = ''): string[] {
  if (value === undefined || typeof value === 'function' || typeof value === 'bigint' || typeof value === 'symbol')
    return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => notJson(inner, `${path}/${key}`))
}
