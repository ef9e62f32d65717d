// Methods of the service, from its own descriptions of them, and the search over their list.

import type { MethodList } from '../../../shared/explorer/methodList.ts'

export interface ParamSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly items?: ParamSchema
  readonly anyOf?: readonly ParamSchema[]
  readonly allOf?: readonly ParamSchema[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

export interface Param {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly schema: ParamSchema
}

export interface DescribedMethod {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly group: string
  readonly params: readonly Param[]
  readonly example: Readonly<Record<string, unknown>>
  readonly rest: { readonly verb: string; readonly path: string } | null
  readonly cost: number
  readonly paged: boolean
}

/** What is read of an OpenRPC document. */
export interface Described {
  readonly methods: readonly {
    readonly name: string
    readonly summary?: string
    readonly description?: string
    readonly tags?: readonly { readonly name: string }[]
    readonly params: readonly {
      readonly name: string
      readonly description?: string
      readonly required?: boolean
      readonly schema: ParamSchema
    }[]
    readonly examples?: readonly { readonly params: readonly { readonly name: string; readonly value: unknown }[] }[]
    readonly 'x-cost'?: number
    readonly 'x-paged'?: boolean
    readonly 'x-rest'?: readonly { readonly verb: string; readonly path: string }[]
  }[]
  readonly components?: { readonly schemas?: Readonly<Record<string, ParamSchema>> }
}

const REF = '#/components/schemas/'
const DEEPEST = 8

/** A schema with what it refers to; what it says itself wins. */
function resolved(schema: ParamSchema, schemas: Readonly<Record<string, ParamSchema>>, depth = 0): ParamSchema {
  if (depth > DEEPEST) return {}
  const { $ref, allOf = [], items, anyOf, ...own } = schema
  const inner = (one: ParamSchema): ParamSchema => resolved(one, schemas, depth + 1)
  const referred = $ref?.startsWith(REF) ? inner(schemas[$ref.slice(REF.length)] ?? {}) : {}
  return {
    ...referred,
    ...Object.assign({}, ...allOf.map(inner)),
    ...own,
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inner) }),
  }
}

export function methodsOf({ methods, components }: Described): readonly DescribedMethod[] {
  const schemas = components?.schemas ?? {}
  return methods.map((one) => ({
    name: one.name,
    summary: one.summary ?? '',
    description: one.description ?? '',
    group: one.tags?.[0]?.name ?? '',
    params: one.params.map(({ name, description = '', required = false, schema }) => ({
      name,
      description,
      required,
      schema: resolved(schema, schemas),
    })),
    example: Object.fromEntries(one.examples?.[0]?.params.map(({ name, value }) => [name, value]) ?? []),
    rest: one['x-rest']?.[0] ?? null,
    cost: one['x-cost'] ?? 1,
    paged: one['x-paged'] === true,
  }))
}

export type MethodLine = MethodList['methods'][number]

/** Words people use for what methods call otherwise. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  history: ['transactions', 'actions', 'traces', 'balancehistory'],
  txs: ['transactions'],
  tx: ['transaction', 'trace'],
  token: ['jetton'],
  tokens: ['jetton'],
  erc20: ['jetton'],
  height: ['masterchaininfo', 'seqno'],
  send: ['sendboc', 'message', 'sendinternal'],
  nonce: ['seqno', 'wallet'],
  name: ['dns'],
  domain: ['dns'],
  simulate: ['emulate'],
  gas: ['estimatefee', 'configparam'],
  time: ['dev.increasetime', 'dev.setnextblocktime'],
  call: ['rungetmethod'],
  chart: ['statistics', 'balancehistory'],
}

const rank = ({ name, summary, params }: MethodLine, word: string): number => {
  const lower = name.toLowerCase()
  if (lower === word || lower.endsWith(`.${word}`)) return 5
  if (lower.includes(word)) return 4
  if (SYNONYMS[word]?.some((other) => lower.includes(other))) return 3
  if (summary.toLowerCase().includes(word)) return 2
  return params.some((param) => param.includes(word)) ? 1 : 0
}

/** Methods that fit every word, the best first. */
export function searchMethods(methods: readonly MethodLine[], text: string): readonly MethodLine[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return methods
  return methods
    .map((method) => ({ method, ranks: words.map((word) => rank(method, word)) }))
    .filter(({ ranks }) => ranks.every((one) => one > 0))
    .sort((a, b) => b.ranks.reduce((x, y) => x + y, 0) - a.ranks.reduce((x, y) => x + y, 0))
    .map(({ method }) => method)
}
