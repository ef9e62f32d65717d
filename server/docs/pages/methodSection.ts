// One method on a reference page: what it does, what it takes, how to call it, what comes back.

import { costOf, exampleParamsOf } from '../../../shared/method.ts'
import type { CallData, CallDoor } from '../browser/callData.ts'
import { type Components, schemasOf } from '../components.ts'
import { type MethodEntry, routesOf, type Version } from '../entries.ts'
import type { ServiceFacts } from '../serviceFacts.ts'
import { curlGet, curlPost } from './curl.ts'
import { slot } from './exampleSlots.ts'
import { fieldTableOf, type ParamRow, paramRows } from './fieldTables.ts'
import { type Html, html, prose } from './html.ts'
import { codeBlock, originOf, sample } from './renderPage.ts'
import { searchWords } from './searchWords.ts'
import type { Shapes } from './shapes.ts'

export const sectionId = (name: string): string => `method-${name}`

export interface Drawn {
  readonly components: Components
  readonly shapes: Shapes
  /** A sentence with other methods in it as links; `own` is the method it is about. */
  linked(text: string, own: string): Html
}

/** Section of one method, with what its script needs in `data-method`. */
export function methodSection(version: Version, entry: MethodEntry, { components, shapes, linked }: Drawn): Html {
  const { name, spec } = entry
  const schemas = schemasOf(name, components)
  const rows = paramRows(schemas.params, components)
  const words = searchWords(
    entry,
    rows.map((row) => row.name),
  )
  return html`<article class="method" id="${sectionId(name)}" data-method="${slot('call', name)}" data-words="${words}">
<header class="method-head">
<h3><a class="anchor" href="#${sectionId(name)}">${name}</a></h3>
${verbs(entry, version)}
${costOf(spec) === 1 ? null : html`<span class="chip" title="What one call takes from the budget">cost ${costOf(spec)}</span>`}
${spec.paged ? html`<span class="chip">paged</span>` : null}
</header>
<p class="summary">${linked(spec.summary, name)}</p>
${spec.description === undefined ? null : html`<p class="more">${linked(spec.description, name)}</p>`}
${routes(entry, version)}
<div class="columns">
<div class="column">
<h4>Parameters</h4>
${rows.length === 0 ? html`<p class="quiet">None.</p>` : paramsTable(name, rows, shapes)}
<h4>Result</h4>
${shapes.result(name)}
${codeBlock(`Example result of ${name}`, html`${JSON.stringify(spec.example.result, null, 2)}`)}
</div>
<div class="column">
<h4>Call</h4>
${slot('samples', name)}
</div>
</div>
</article>`
}

const RPC_DOORS: readonly CallDoor[] = [
  { title: '/jsonRPC', path: '/jsonRPC', carries: 'rpc' },
  { title: '/api/v2/jsonRPC', path: '/api/v2/jsonRPC', carries: 'rpc' },
]

/** Without its example. */
export function callData(version: Version, entry: MethodEntry, components: Components): CallData {
  const [get] = routesOf(entry.spec, version).filter((route) => route.verb === 'GET')
  const [post] = routesOf(entry.spec, version).filter((route) => route.verb === 'POST')
  return {
    name: entry.name,
    doors: [
      ...(get ? [{ title: 'REST GET', path: get.path, carries: 'query' } as const] : []),
      ...(post ? [{ title: 'REST POST', path: post.path, carries: 'body' } as const] : []),
      ...RPC_DOORS,
    ],
    ...(entry.spec.warning === undefined ? {} : { warning: entry.spec.warning }),
    fields: fieldTableOf(schemasOf(entry.name, components).params, components),
  }
}

const verb = (text: string, kind: string): Html => html`<span class="verb ${kind}">${text}</span>`

function verbs({ spec }: MethodEntry, version: Version): Html {
  const has = new Set(routesOf(spec, version).map((route) => route.verb))
  return html`<span class="verbs">${has.has('GET') && verb('GET', 'get')}${has.has('POST') && verb('POST', 'post')}${verb('RPC', 'rpc')}</span>`
}

function routes({ spec }: MethodEntry, version: Version): Html | null {
  const paths = [...new Set(routesOf(spec, version).map((route) => route.path))]
  return paths.length === 0
    ? html`<p class="paths quiet">JSON-RPC only.</p>`
    : html`<p class="paths">${paths.map((path) => html`<code>${path}</code> `)}</p>`
}

function paramsTable(name: string, rows: readonly ParamRow[], shapes: Shapes): Html {
  return html`<table class="params" aria-label="Parameters of ${name}">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>
${rows.map((row) => paramRow(row, shapes))}
</tbody>
</table>`
}

const paramRow = (row: ParamRow, shapes: Shapes): Html => html`<tr>
<th scope="row"><code>${row.name}</code> ${row.required ? html`<span class="required">required</span>` : html`<span class="quiet">optional</span>`}</th>
<td><code>${shapes.type(row.type)}</code></td>
<td>${prose(row.description)}${facets(row)}</td>
</tr>
`

function facets(row: ParamRow): Html | null {
  const facts = [
    row.byDefault !== null && html`<span class="facet">default <code>${row.byDefault}</code></span>`,
    row.bounds !== '' && html`<span class="facet">${row.bounds}</span>`,
  ].filter((fact) => fact !== false)
  return facts.length === 0 ? null : html`<span class="facets">${facts}</span>`
}

/** The same call in each form, the first one open. */
export function samples(version: Version, { name, spec }: MethodEntry, facts: ServiceFacts): Html {
  const origin = originOf(facts)
  const params = exampleParamsOf(spec)
  const [get] = routesOf(spec, version).filter((route) => route.verb === 'GET')
  const [post] = routesOf(spec, version).filter((route) => route.verb === 'POST')
  const rpc = { jsonrpc: '2.0', id: 1, method: name, params }
  const doors = [
    get && { title: 'REST GET', code: curlGet(`${origin}${get.path}`, params) },
    post && { title: 'REST POST', code: curlPost(`${origin}${post.path}`, params) },
    { title: 'JSON-RPC', code: curlPost(`${origin}/jsonRPC`, rpc) },
  ].filter((door) => door !== undefined)
  return html`${doors.map(
    ({ title, code }, index) => html`<details class="door"${index === 0 ? OPEN : null}><summary>${title}</summary>
${codeBlock(`${name} by ${title}`, sample(code, facts), 'sample')}
</details>
`,
  )}`
}

const OPEN = html` open`
