// The types of the client as one flat text: every method, parameter and field with its description from the documents,
// which editors show on hover. The registry's own types would need zod.

import { costOf } from '../../../shared/method.ts'
import type { MethodSpec, Registry } from '../../../shared/registry.ts'
import { adaptForTypes } from '../adapt.ts'
import { type Components, createComponents, type JsonSchema, propertiesOf } from '../components.ts'
import { openUnionText } from './openUnion.ts'
import { type DeclaredInterface, interfaceTexts } from './sharedFields.ts'
import { fieldTexts, fieldWords, jsDoc, keyText, typeText } from './typeText.ts'

/** What a hover on a method shows. */
function methodWords(spec: MethodSpec): string {
  const cost = costOf(spec)
  return [spec.summary, spec.description ?? '', cost === 1 ? '' : `Costs ${cost}.`].filter(Boolean).join(' ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `v3.jetton.wallets` is `V3JettonWalletsParams`. */
const paramsName = (method: string): string => `${method.split('.').map(capital).join('')}Params`

const isInterface = (schema: JsonSchema): boolean => schema.type === 'object' && propertiesOf(schema).length > 0

interface Branch {
  /** Full name of the method of this branch. */
  method?: string
  readonly below: Map<string, Branch>
}

function treeOf(names: readonly string[]): Branch {
  const root: Branch = { below: new Map() }
  for (const name of names) {
    let at = root
    for (const part of name.split('.')) {
      let next = at.below.get(part)
      if (next === undefined) {
        next = { below: new Map() }
        at.below.set(part, next)
      }
      at = next
    }
    at.method = name
  }
  return root
}

interface MethodText {
  readonly words: string
  readonly type: string
}

/** Throws for a name that is a method and a namespace: `Api` is read from these declarations and would lack what is below. */
function branchText(branch: Branch, textOf: (method: string, indent: string) => MethodText, indent = ''): string {
  const lines = [...branch.below].map(([name, child]) => {
    if (child.method === undefined)
      return `${indent} readonly ${keyText(name)}: ${branchText(child, textOf, `${indent} `)}\n`
    if (child.below.size > 0) throw new Error(`${child.method} is a method and a namespace`)
    const { words, type } = textOf(child.method, `${indent} `)
    return `${jsDoc(words, `${indent} `)}${indent} readonly ${keyText(name)}: ${type}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

/** `Api` from the declarations of the client: each method is declared once, and `Call` is what is read from it. */
const API = `type Call<P, R> = Method<{
 params: P
 result: R
}>
type CallOf<F> = F extends (...args: infer A) => Promise<infer R> ? {
 params: NonNullable<A[0]>
 result: R
} : never
type NamesIn<T, Before extends string = ''> = {
 [K in keyof T & string]: T[K] extends (...args: never) => unknown ? \`\${Before}\${K}\` : NamesIn<T[K], \`\${Before}\${K}.\`>
}[keyof T & string]
type At<T, N extends string> = N extends keyof T ? CallOf<T[N]> : N extends \`\${infer H}.\${infer R}\` ? H extends keyof T ? At<T[H], R> : never : never
/** What each method takes and returns, by name. */
export type Api = {
 [N in NamesIn<ServiceClient>]: At<ServiceClient, N>
}
`

/** `Api`, the service's client and every named shape of the registry, as declarations in one text. */
export function clientTypes(
  registry: Registry,
  components: Components = createComponents(registry, 'draft-2020-12', adaptForTypes),
): string {
  const names = Object.keys(registry)
  const specOf = (name: string): MethodSpec => {
    const spec = registry[name]
    if (spec === undefined) throw new Error(`no method ${name}`)
    return spec
  }
  const shapes = Object.entries(components.schemas)
  const named = shapes.filter(([, schema]) => isInterface(schema))
  const aliases = shapes
    .filter(([, schema]) => !isInterface(schema))
    .map(
      ([name, schema]) =>
        openUnionText(name, schema) ?? `${jsDoc(fieldWords(schema), '')}export type ${name} = ${typeText(schema)}\n`,
    )
  const results = named.map(
    ([name, schema]): DeclaredInterface => ({
      name,
      words: jsDoc(fieldWords(schema), ''),
      fields: fieldTexts(schema, ''),
    }),
  )
  const params = names.map((name): DeclaredInterface => {
    const fields = fieldTexts(components.methods.get(name)?.params ?? {}, '', true)
    return { name: paramsName(name), words: '', fields }
  })
  const methodText = (name: string, indent: string): MethodText => {
    const result = typeText(components.methods.get(name)?.result ?? {}, indent)
    return { words: methodWords(specOf(name)), type: `Call<${paramsName(name)}, ${result}>` }
  }
  return [
    ...aliases,
    ...interfaceTexts([...results, ...params]),
    API,
    `/** A client of this service: a function for each method. */\nexport interface ServiceClient ${branchText(
      treeOf(names),
      methodText,
    )}\n`,
  ].join('\n')
}
