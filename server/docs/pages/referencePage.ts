// The reference page of one interface: complete without a script, alive with one.

import { errorAdvice, errorAnchor } from '../../../shared/errorAdvice.ts'
import { errorKinds, errorTable, errorTexts, httpStatuses, malformedKinds } from '../../../shared/errors.ts'
import { groupTitle } from '../../../shared/groupTitles.ts'
import { exampleParamsOf } from '../../../shared/method.ts'
import type { Registry } from '../../../shared/registry.ts'
import { adaptForTypes } from '../adapt.ts'
import type { CallData } from '../browser/callData.ts'
import { type Components, createComponents } from '../components.ts'
import {
  entriesOfVersion,
  groupsOf,
  type MethodEntry,
  type MethodGroup,
  tagOf,
  type Version,
  versionOf,
} from '../entries.ts'
import type { ServiceFacts } from '../serviceFacts.ts'
import { curlGet, curlPost } from './curl.ts'
import { filledPage, slot } from './exampleSlots.ts'
import { filledFields, groupedFields } from './fieldTables.ts'
import { type Html, html, prose } from './html.ts'
import { callData, methodSection, samples, sectionId } from './methodSection.ts'
import { codeBlock, originOf, renderPage, sample } from './renderPage.ts'
import { searchWords } from './searchWords.ts'
import { createShapes, type Shapes } from './shapes.ts'

const ABOUT: Readonly<Record<Version, { readonly name: string; readonly lede: string; readonly reply: string }>> = {
  v2: {
    name: 'direct access',
    lede: 'The current state of the chain: balances and states, blocks and transactions, get-methods, sending messages.',
    reply:
      'A reply is `{"ok": true, "result": …, "@extra": …}`, or `{"ok": false, "error": …, "code": …, "@extra": …}` with the same HTTP status.',
  },
  v3: {
    name: 'indexed access',
    lede: 'The chain as a database: history of any account, tokens, traces and actions, filtered and page by page.',
    reply: 'A reply is the bare result, or `{"error": …}` with the HTTP status of the failure.',
  },
}

/** A page with places for the parameters of its examples. */
export interface DrawnReference {
  readonly page: string
  /** Calls by method, without their examples. */
  readonly calls: Readonly<Record<string, CallData>>
}

export function drawReference(
  version: Version,
  registry: Registry,
  facts: ServiceFacts,
  components: Components,
): DrawnReference {
  const entries = entriesOfVersion(version, registry)
  const groups = groupsOf(entries)
  const shapes = createShapes(
    entries.map(({ name }) => name),
    createComponents(registry, 'draft-2020-12', adaptForTypes),
  )
  const slugs = slugsOf(groups)
  const linked = linksTo(registry)
  const sections = groups.map(
    (group, index) => html`<section class="group" aria-labelledby="${slugs[index]}">
<h2 id="${slugs[index]}">${groupTitle(group.title)}</h2>
${groupLede(version, group.title)}
${group.entries.map((entry) => methodSection(version, entry, { components, shapes, linked }))}
</section>
`,
  )
  const title = `${facts.title} ${version}: ${ABOUT[version].name}`
  const page = renderPage(
    {
      path: `/api/${version}/`,
      title,
      description: ABOUT[version].lede,
      side: sideBar(groups, slugs, shapes),
      main: html`${intro(version, facts, groups)}
${authentication(facts)}
${limits(facts)}
${errors()}
${sections}
<p class="quiet" id="no-match" hidden>No method of ${version} matches the filter.</p>
${elsewhere(version === 'v2' ? 'v3' : 'v2', registry)}
${shapes.section}`,
    },
    facts,
  )
  return { page, calls: Object.fromEntries(entries.map((one) => [one.name, callData(version, one, components)])) }
}

/** The page with the examples of the registry: a small part of the work of drawing it. */
export function filledReference(
  { page, calls }: DrawnReference,
  version: Version,
  registry: Registry,
  facts: ServiceFacts,
): string {
  const entries = new Map(entriesOfVersion(version, registry).map((entry) => [entry.name, entry]))
  return filledPage(page, (kind, name) => {
    if (kind === 'key') return callWithKey(registry, facts)
    const entry = entries.get(name)
    const call = calls[name]
    if (entry === undefined || call === undefined) return html``
    if (kind === 'samples') return samples(version, entry, facts)
    if (kind === 'first') return firstCall(entry, facts)
    const fields = filledFields(call.fields, exampleParamsOf(entry.spec))
    return html`${JSON.stringify({ ...call, fields })}`
  })
}

/** One whole page. */
export function referencePage(version: Version, registry: Registry, facts: ServiceFacts): string {
  const drawn = drawReference(version, registry, facts, createComponents(registry, 'draft-2020-12'))
  return filledReference(drawn, version, registry, facts)
}

const WORD = /\b([A-Za-z]\w*(?:\.\w+)*)\b/

/** `shards` is a method, and a word of English. */
const isMethodName = (word: string): boolean => /[A-Z.]/.test(word)

/** Sentences with the methods they name as links. */
function linksTo(registry: Registry): (text: string, own: string) => Html {
  const link = (name: string, own: string): Html | string => {
    const spec = Object.hasOwn(registry, name) && isMethodName(name) && name !== own ? registry[name] : undefined
    return spec === undefined ? name : html`<a href="/api/${versionOf(name, spec)}/#${sectionId(name)}">${name}</a>`
  }
  const plain = (text: string, own: string): Html =>
    html`${text.split(WORD).map((piece, index) => (index % 2 === 0 ? piece : link(piece, own)))}`
  return (text, own) =>
    html`${text.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 0 ? plain(piece, own) : html`<code>${piece}</code>`))}`
}

function groupLede(version: Version, title: string): Html | null {
  const { description } = tagOf(version, title)
  return description === undefined ? null : html`<p class="more">${prose(description)}</p>`
}

/** Methods of the other version, for the filter to show those that fit. */
function elsewhere(version: Version, registry: Registry): Html {
  const link = (
    entry: MethodEntry,
  ) => html`<li hidden data-words="${searchWords(entry, [])}"><a href="/api/${version}/#${sectionId(entry.name)}">${entry.name}</a> <span class="quiet">${prose(entry.spec.summary)}</span></li>
`
  return html`<section id="elsewhere" aria-labelledby="elsewhere-title" hidden>
<h2 id="elsewhere-title">In API ${version}</h2>
<ul class="plain">${entriesOfVersion(version, registry).map(link)}</ul>
</section>`
}

/** Ids of group headings: readable, and never twice. */
function slugsOf(groups: readonly MethodGroup[]): readonly string[] {
  const taken = new Set<string>()
  return groups.map(({ title }) => {
    let slug = `group-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
    while (taken.has(slug)) slug += '-'
    taken.add(slug)
    return slug
  })
}

function sideBar(groups: readonly MethodGroup[], slugs: readonly string[], shapes: Shapes): Html {
  const methods = groups.map(
    (group, index) => html`<li class="nav-group" data-methods><a href="#${slugs[index]}">${groupTitle(group.title)}</a>
<ul>${group.entries.map(({ name }) => html`<li><a href="#${sectionId(name)}">${name}</a></li>`)}</ul></li>
`,
  )
  return html`<aside class="side" aria-label="Contents">
<div class="tool" hidden data-script>
<label for="api-key">API key</label>
<input id="api-key" type="password" autocomplete="off" spellcheck="false" placeholder="none" aria-describedby="api-key-note">
<p class="note" id="api-key-note">Kept in this tab only.</p>
</div>
<div class="tool" hidden data-script${groups.length === 0 ? html` data-empty` : null}>
<label for="filter">Filter methods</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" placeholder="name or word  ( / )" aria-keyshortcuts="/" aria-describedby="filter-note">
<p class="note" id="filter-note" role="status"></p>
</div>
<details class="contents" open><summary>Contents</summary>
<nav aria-label="On this page"><ul>
<li class="nav-group"><a href="#start">Start here</a>
<ul><li><a href="#authentication">Authentication</a></li><li><a href="#limits">Limits</a></li><li><a href="#errors">Errors</a></li>${shapes.section === null ? null : html`<li><a href="#shapes">Shapes of values</a></li>`}</ul></li>
${methods}</ul></nav>
</details>
</aside>`
}

function intro(version: Version, facts: ServiceFacts, groups: readonly MethodGroup[]): Html {
  const first = groups[0]?.entries[0]
  return html`<section class="intro" aria-labelledby="start">
<h1 id="start">${facts.title} <span>API ${version}</span></h1>
<p class="lede">${ABOUT[version].lede}</p>
${groups.length === 0 ? nothingYet(version) : null}
<ul class="plain">
<li>Every method has a name for JSON-RPC and, with few exceptions, a path for REST. Both take the same parameters and cost the same.</li>
<li>REST takes parameters in the query or, by POST, as one JSON object; a list is a repeated name: <code>?id=1&amp;id=2</code>.</li>
<li><code>POST /jsonRPC</code> speaks strict JSON-RPC 2.0: calls alone or in batches, parameters by name or in declared order.</li>
<li><code>POST /api/v2/jsonRPC</code> takes the same calls and answers in the envelope of v2.</li>
<li>${prose(ABOUT[version].reply)}</li>
</ul>
${first && slot('first', first.name)}
<p>For machines: <a href="/openapi/${version}.json">OpenAPI 3.1</a>, and OpenRPC by the method <code>rpc.discover</code>. Version ${facts.versions[version]}.</p>
</section>`
}

function firstCall({ name, spec }: MethodEntry, facts: ServiceFacts): Html {
  const rpc = { jsonrpc: '2.0', id: 1, method: name, params: spec.example.params }
  return codeBlock('A first call', sample(curlPost(`${originOf(facts)}/jsonRPC`, rpc), facts), 'sample')
}

function callWithKey(registry: Registry, facts: ServiceFacts): Html {
  const reads = Object.values(registry).flatMap((spec) =>
    spec.rest.filter((route) => route.verb === 'GET').map(({ path }) => ({ path, params: exampleParamsOf(spec) })),
  )
  const { path, params } = reads[0] ?? { path: '/api/v2/getMasterchainInfo', params: {} }
  const call = curlGet(`${originOf(facts)}${path}`, params)
  return codeBlock('A call with a key', sample(`${call} \\\n  -H "X-API-Key: $API_KEY"`, facts), 'sample')
}

function authentication(facts: ServiceFacts): Html {
  const others = Object.entries(facts.networks ?? {}).filter(([name]) => name !== facts.network)
  return html`<section aria-labelledby="authentication">
<h2 id="authentication">Authentication</h2>
<p>A call without a key is allowed, within tighter limits. A key goes into the header <code>X-API-Key</code> or, where no header can be set, into the query as <code>api_key</code>. The header is better: addresses end up in logs.</p>
${slot('key', '')}
<p>A key belongs to one network, here <strong>${facts.network}</strong>; on another it is refused with 403. Keep keys out of web pages and repositories.</p>
${others.length === 0 ? null : html`<p>Other networks: ${others.map(([name, url]) => html`<a href="${url}">${name}</a> `)}</p>`}
</section>`
}

/** `batchItems` as `batch items`. */
const spaced = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, (_, low, high) => `${low} ${high.toLowerCase()}`)

function limits(facts: ServiceFacts): Html {
  const rows = Object.entries(facts.limits).map(
    ([name, value]) =>
      html`<tr><th scope="row">${spaced(name)}</th><td>${typeof value === 'number' ? groupedFields(value) : value}</td></tr>`,
  )
  return html`<section aria-labelledby="limits">
<h2 id="limits">Limits</h2>
${rows.length === 0 ? html`<p>No limits are set on this service.</p>` : html`<table class="facts" aria-label="Limits"><tbody>${rows}</tbody></table>`}
<p>A call costs 1 unless its section says otherwise; a batch costs what its calls cost. Replies to limited callers carry <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code>; a refusal carries <code>Retry-After</code> in seconds.</p>
</section>`
}

function errors(): Html {
  const rows = errorKinds
    .toSorted((a, b) => httpStatuses[a] - httpStatuses[b])
    .map((kind) => {
      const { rpc, retry } = errorTable[kind]
      return html`<tr id="${errorAnchor(kind)}"><th scope="row"><code>${kind}</code></th><td>${httpStatuses[kind]}</td><td><code>${rpc}</code></td><td>${errorTexts[kind]}</td><td>${retry ? 'retry' : 'no retry'}</td><td>${prose(errorAdvice[kind])}</td></tr>
`
    })
  const malformed = malformedKinds.map((kind) => `\`${kind}\``).join(', ')
  return html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>The same for all addresses, but emulation answers ${prose(malformed)} with 400; the text of a reply can be more exact. REST and <code>/api/v2/jsonRPC</code> answer with the HTTP status, <code>/jsonRPC</code> with the JSON-RPC code and, in <code>data</code>, the kind, the advice and the path of its row here.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of errors"><table class="facts plain-heads stack">
<thead><tr><th scope="col">Kind</th><th scope="col">HTTP</th><th scope="col">JSON-RPC</th><th scope="col">Text</th><th scope="col">Retry</th><th scope="col">What to do</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</section>`
}

const nothingYet = (version: Version): Html => html`<div class="empty">
<h2>No methods yet</h2>
<p>This service does not serve any ${version} method yet. Everything it can do is under <a href="${version === 'v3' ? '/api/v2/' : '/api/v3/'}">${version === 'v3' ? 'API v2' : 'API v3'}</a>.</p>
</div>`
