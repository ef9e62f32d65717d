// Real traces of the main network, the actions expected of each by its author, and all actions the public reference
// classifier makes of it.

import { readdirSync } from 'node:fs'
import { readJsonFile, traceOfFile } from '../../../server/cli/classify/file.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'

type Json = Readonly<Record<string, unknown>>

/** Numbers of more than 15 digits are texts here. */
export interface Expected {
  readonly type: string
  readonly values: Json
}

export interface TraceFixture extends KnownTrace {
  readonly expected: readonly Expected[]
}

const fixtures = new URL('../../fixtures/', import.meta.url)
const folder = new URL('traces/', fixtures)

export const traceNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json.gz'))
  .map((name) => name.slice(0, -'.json.gz'.length))
  .sort()

export function readTraceFixture(name: string): TraceFixture {
  const file = readJsonFile(new URL(`${name}.json.gz`, folder))
  // The cast: the files have this.
  const expected = file.expected as readonly (Json & { readonly type: string })[]
  return {
    ...traceOfFile(file),
    expected: expected.map((one) => ({ type: one.type, values: (one.values ?? one.value) as Json })),
  }
}

/** By the name of the trace. What a transaction sends is in the order of the chain: the reference pairs sides by it. */
export function readReferenceActions(): ReadonlyMap<string, readonly Expected[]> {
  // The cast: the file has this.
  const file = readJsonFile(new URL('reference-actions.json.gz', fixtures)) as Readonly<Record<string, Json[]>>
  return new Map(
    Object.entries(file).map(([name, actions]) => [
      name,
      actions.map((values) => ({ type: String(values.type), values })),
    ]),
  )
}
