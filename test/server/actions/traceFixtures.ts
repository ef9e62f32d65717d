// Real traces and the actions expected of them, where they stand beside the project.

import { existsSync, readdirSync } from 'node:fs'
import { type KnownTrace, readJsonFile, traceOfFile } from '../../../server/classify/index.ts'

type Json = Readonly<Record<string, unknown>>

/** Numbers of more than 15 digits are texts here. */
export interface Expected {
  readonly type: string
  readonly values: Json
}

export interface TraceFixture extends KnownTrace {
  readonly expected: readonly Expected[]
}

const folder = new URL('../../../../shared/fixtures/traces/', import.meta.url)
/** Where else they stand. */
const elsewhere = process.env.TRACE_FIXTURES
const root = elsewhere === undefined ? folder : new URL(`file://${elsewhere}/`)

export const traceNames: readonly string[] = existsSync(root)
  ? readdirSync(root)
      .filter((name) => name.endsWith('.json.gz'))
      .map((name) => name.slice(0, -'.json.gz'.length))
      .sort()
  : []

export function readTraceFixture(name: string): TraceFixture {
  const file = readJsonFile(new URL(`${name}.json.gz`, root))
  // The cast: the files have this.
  const expected = file.expected as readonly (Json & { readonly type: string })[]
  return {
    ...traceOfFile(file),
    expected: expected.map((one) => ({ type: one.type, values: (one.values ?? one.value) as Json })),
  }
}
