// OpenRPC 1.3 of all methods, which `rpc.discover` answers with, and of each alone. Positions are the declared order of the
// params.

import { type ErrorKind, errorTable } from '../../shared/errors.ts'
import type { MethodList } from '../../shared/explorer/methodList.ts'
import { costOf, exampleParamsOf } from '../../shared/method.ts'
import type { Registry } from '../../shared/registry.ts'
import {
  type Components,
  createComponents,
  type JsonSchema,
  type MethodSchemas,
  propertiesOf,
  requiredOf,
  schemasOf,
} from './components.ts'
import { entriesOf, type MethodEntry, tagOf, versionOf } from './entries.ts'
import { kindsBy, kindsOfCall, rpcCode, textsOf } from './replyShapes.ts'
import { publicOrigin, type ServiceFacts } from './serviceFacts.ts'

const VERSION = '1.3.2'
const SPECIFICATION = 'https://spec.open-rpc.org/'

/** The document. `components` can be passed when they were made before, in draft 7. */
export function openrpc(
  registry: Registry,
  facts: ServiceFacts,
  components: Components = createComponents(registry, 'draft-7'),
): Record<string, unknown> {
  const methods = entriesOf(registry).map((entry) => methodOf(entry, components))
  const all = Object.hasOwn(registry, DISCOVER) ? methods : [...methods, discoverItself()]
  return documentOf(all, components.schemas, facts)
}

/** The same of one method, with the schemas it needs: the whole is 700 kB. */
export function openrpcOfMethod(
  entry: MethodEntry,
  facts: ServiceFacts,
  components: Components,
): Record<string, unknown> {
  const method = methodOf(entry, components)
  return documentOf([method], components.usedBy(method), facts)
}

/** What a person chooses a method by. */
export const methodList = (registry: Registry, components: Components): MethodList => ({
  methods: entriesOf(registry).map(({ name, spec }) => ({
    name,
    summary: spec.summary,
    group: spec.group,
    params: propertiesOf(schemasOf(name, components).params).map(([param]) => param),
  })),
})

const documentOf = (methods: readonly object[], schemas: Components['schemas'], facts: ServiceFacts) => ({
  openrpc: VERSION,
  info: {
    title: facts.title,
    version: facts.versions.v2,
    description: `Every method of ${facts.title} on ${facts.network}, over HTTP and WebSocket.`,
  },
  servers: [
    { name: 'jsonrpc', url: `${publicOrigin(facts) ?? ''}/jsonRPC`, summary: 'Strict JSON-RPC 2.0.' },
    { name: 'toncenter', url: `${publicOrigin(facts) ?? ''}/api/v2/jsonRPC`, summary: 'The envelope of v2.' },
  ],
  'x-network': facts.network,
  'x-versions': { ...facts.versions },
  'x-limits': { ...facts.limits },
  methods,
  components: { schemas, errors: sharedErrors() },
  externalDocs: { description: 'How to read this document.', url: SPECIFICATION },
})

const DISCOVER = 'rpc.discover'

/** For registries that leave the method to the transport. */
const discoverItself = () => ({
  name: DISCOVER,
  summary: 'This document.',
  paramStructure: 'either',
  params: [],
  result: { name: 'OpenRPC Schema', schema: { type: 'object', required: ['openrpc', 'info', 'methods'] } },
})

function methodOf({ name, spec }: MethodEntry, components: Components) {
  const schemas = schemasOf(name, components)
  const { params, byPosition } = paramsOf(schemas, components)
  return {
    name,
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    tags: [tagOf(versionOf(name, spec), spec.group)],
    paramStructure: byPosition ? 'either' : 'by-name',
    params,
    result: { name: name === DISCOVER ? 'OpenRPC Schema' : `${name} result`, schema: schemas.result },
    errors: errorRows.map(([code]) => ({ $ref: `#/components/errors/${errorName(code)}` })),
    examples: [exampleOf(name, spec, params)],
    'x-cost': costOf(spec),
    'x-freshness': spec.freshness,
    ...(spec.paged ? { 'x-paged': true } : {}),
    ...(spec.rest.length > 0 ? { 'x-rest': spec.rest.map(({ verb, path }) => ({ verb, path })) } : {}),
  }
}

interface ContentDescriptor {
  readonly name: string
  readonly description?: string
  readonly required: boolean
  readonly schema: JsonSchema
}

/**
 * OpenRPC has required params before optional ones. Where the declared order differs, positions would be wrong:
 * such a method is shown by name only.
 */
function paramsOf(schemas: MethodSchemas, components: Components) {
  const required = requiredOf(schemas.params)
  const declared = propertiesOf(schemas.params).map(([name, schema]): ContentDescriptor => {
    const { description } = components.resolve(schema)
    return {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      required: required.has(name),
      schema,
    }
  })
  const sorted = [...declared.filter((param) => param.required), ...declared.filter((param) => !param.required)]
  return { params: sorted, byPosition: sorted.every((param, index) => param === declared[index]) }
}

function exampleOf(name: string, spec: MethodEntry['spec'], params: readonly ContentDescriptor[]) {
  const values = exampleParamsOf(spec)
  const given = params.filter((param) => Object.hasOwn(values, param.name) && values[param.name] !== undefined)
  return {
    name: `${name} example`,
    params: given.map((param) => ({ name: param.name, value: values[param.name] })),
    result: { name: `${name} result`, value: spec.example.result },
  }
}

const errorRows = kindsBy(rpcCode, kindsOfCall)
const errorName = (code: number): string => `E${Math.abs(code)}`

/** One per code, as OpenRPC demands; several kinds may share one. */
const sharedErrors = () => Object.fromEntries(errorRows.map(([code, kinds]) => [errorName(code), errorOf(code, kinds)]))

const errorOf = (code: number, kinds: readonly ErrorKind[]) => ({
  code,
  message: textsOf(kinds).join('; '),
  data: { kinds, retry: kinds.some((kind) => errorTable[kind].retry) },
})
