// OpenAPI 3.1 of one interface: its REST routes, and for v2 its JSON-RPC path.

import { costOf, exampleParamsOf, isOfEmulation, type Route } from '../../shared/method.ts'
import type { Registry } from '../../shared/registry.ts'
import { type Components, createComponents, type JsonSchema, propertiesOf, requiredOf } from './components.ts'
import { entriesOf, entriesOfVersion, groupsOf, type MethodEntry, routesOf, tagOf, type Version } from './entries.ts'
import { JSON_RPC_TAG, jsonRpcOperation, jsonRpcSchemas } from './openapiJsonRpc.ts'
import { LIVE_TAGS, livePaths } from './openapiLive.ts'
import { errorResponses, responsesOf, sharedHeaders } from './openapiResponses.ts'
import { errorSchema, kindsOfRest, successExample, successSchema } from './replyShapes.ts'
import { publicOrigin, type ServiceFacts } from './serviceFacts.ts'
import { withShapeNames } from './shapeNames.ts'

const ABOUT: Readonly<Record<Version, string>> = {
  v2: 'Reads the current state of the chain, runs get-methods and sends messages. Every reply is `{ok, result}` or `{ok, error, code}`. Streams and webhooks are in the document of v3.',
  v3: 'Queries over the indexed chain: history, tokens, traces and actions. A reply is the bare result or `{error}`. The header `X-Min-Seqno: N` waits up to 2 s for masterchain block N in the index.',
}

const SECURITY = [{}, { apiKeyHeader: [] }, { apiKeyQuery: [] }]

const SECURITY_SCHEMES = {
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Raises the limits of the caller.' },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The same where no header can be set.' },
}

/** The document of one interface. `components` can be passed when they were made before. */
export function openapi(
  version: Version,
  registry: Registry,
  facts: ServiceFacts,
  components: Components = createComponents(registry, 'draft-2020-12'),
): Record<string, unknown> {
  const hasJsonRpc = version === 'v2' && entriesOf(registry).length > 0
  // Where there is an index there are streams of it.
  const isLive = version === 'v3' && entriesOfVersion('v3', registry).length > 0
  const paths = {
    ...restPaths(version, registry, components),
    ...(hasJsonRpc ? jsonRpcOperation(registry, errorName(version)) : {}),
    ...(isLive ? livePaths(errorName(version)) : {}),
  }
  const own = { [errorName(version)]: errorSchema(version), ...(hasJsonRpc ? jsonRpcSchemas(registry) : {}) }
  const schemas = merged(own, components.usedBy(paths))
  const tags = groupsOf(entriesOfVersion(version, registry).filter(({ spec }) => spec.rest.length > 0))
  return {
    openapi: '3.1.0',
    info: {
      title: `${facts.title} ${version}`,
      version: facts.versions[version],
      description: `${ABOUT[version]} Network: ${facts.network}.`,
    },
    servers: [{ url: publicOrigin(facts) ?? '/' }],
    security: SECURITY,
    tags: [
      ...tags.map(({ title }) => tagOf(version, title)),
      ...(version === 'v2' ? [JSON_RPC_TAG] : []),
      ...(isLive ? LIVE_TAGS : []),
    ],
    'x-network': facts.network,
    'x-limits': { ...facts.limits },
    paths: withShapeNames(paths),
    components: {
      schemas: withShapeNames(schemas),
      responses: errorResponses(version, errorName(version)),
      headers: sharedHeaders(facts.versions[version]),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const errorName = (version: Version): string => `${version.toUpperCase()}Error`

function merged(own: Readonly<Record<string, JsonSchema>>, drawn: Readonly<Record<string, JsonSchema>>) {
  const twice = Object.keys(own).find((name) => Object.hasOwn(drawn, name))
  if (twice) throw new Error(`schema id '${twice}' is taken by the documents themselves`)
  return { ...drawn, ...own }
}

function restPaths(
  version: Version,
  registry: Registry,
  components: Components,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  const ids = new Set<string>()
  for (const entry of entriesOf(registry)) {
    for (const route of routesOf(entry.spec, version)) {
      const verbs = paths[route.path] ?? {}
      verbs[route.verb.toLowerCase()] = operation(version, entry, route, components, uniqueId(route, ids))
      paths[route.path] = verbs
    }
  }
  return paths
}

/** `detectAddress_get`, `jetton_wallets_get`: the path and the verb, as generators of client code like it. */
function uniqueId(route: Route, taken: Set<string>): string {
  const words = route.path.replace(/^\/(?:api\/\w+\/)?/, '').replaceAll(/\W+/g, '_')
  let id = `${words}_${route.verb.toLowerCase()}`
  while (taken.has(id)) id += '_'
  taken.add(id)
  return id
}

function operation(version: Version, entry: MethodEntry, route: Route, components: Components, operationId: string) {
  const { name, spec } = entry
  const schemas = components.methods.get(name)
  if (!schemas) throw new Error(`${name}: it has no schemas`)
  const example = exampleParamsOf(spec)
  const success = {
    schema: successSchema(version, schemas.result),
    example: successExample(version, spec.example.result),
  }
  return {
    operationId,
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    tags: [spec.group],
    ...(route.verb === 'GET'
      ? { parameters: parametersOf(schemas.params, example, components) }
      : { requestBody: bodyOf(schemas.params, example) }),
    responses: responsesOf(isOfEmulation(route.path) ? 'emulation' : version, success, kindsOfRest(route.verb)),
    'x-method': name,
    'x-cost': costOf(spec),
    'x-freshness': spec.freshness,
    ...(spec.paged ? { 'x-paged': true } : {}),
  }
}

function parametersOf(params: JsonSchema, example: Readonly<Record<string, unknown>>, components: Components) {
  const required = requiredOf(params)
  return propertiesOf(params).map(([name, schema]) => {
    const plain = components.resolve(schema)
    return {
      name,
      in: 'query',
      required: required.has(name),
      ...(typeof plain.description === 'string' ? { description: plain.description } : {}),
      ...(plain.type === 'object'
        ? { content: { 'application/json': { schema, ...exampleOf(example, name) } } }
        : { ...(plain.type === 'array' ? { style: 'form', explode: true } : {}), schema, ...exampleOf(example, name) }),
    }
  })
}

const exampleOf = (example: Readonly<Record<string, unknown>>, name: string) =>
  Object.hasOwn(example, name) && example[name] !== undefined ? { example: example[name] } : {}

/** REST ignores names it does not know, so the body is not closed as it is under JSON-RPC. */
function bodyOf(params: JsonSchema, example: Readonly<Record<string, unknown>>) {
  const { additionalProperties: _, ...schema } = params
  return {
    required: requiredOf(params).size > 0,
    content: { 'application/json': { schema, example } },
  }
}
