// The overview for people who call the service: what this is, where everything is, how to make a first call.

import type { Registry } from '../../../shared/registry.ts'
import { entriesOfVersion } from '../entries.ts'
import type { ServiceFacts } from '../serviceFacts.ts'
import { curlPost } from './curl.ts'
import { type Html, html } from './html.ts'
import { codeBlock, originOf, renderPage, sample } from './renderPage.ts'

interface Place {
  readonly path: string
  readonly what: string
  /** False for addresses a browser cannot open. */
  readonly link: boolean
}

const PLACES: readonly Place[] = [
  { path: '/', what: 'The explorer: accounts, transactions, traces, blocks.', link: true },
  { path: '/jsonRPC', what: 'Strict JSON-RPC 2.0 over POST: single calls, batches, notifications.', link: false },
  { path: 'ws /jsonRPC', what: 'The same over a WebSocket.', link: false },
  { path: '/api/v2/jsonRPC', what: 'JSON-RPC in the envelope of v2, for clients that already speak it.', link: false },
  { path: '/api/v2/', what: 'Reference of v2, and its REST routes below.', link: true },
  { path: '/api/v3/', what: 'Reference of v3, and its REST routes below.', link: true },
  { path: '/docs/', what: 'Guides: contracts, dapps, operating, configuration.', link: true },
  { path: '/openapi/v2.json', what: 'OpenAPI 3.1 of v2.', link: true },
  { path: '/openapi/v3.json', what: 'OpenAPI 3.1 of v3.', link: true },
  { path: '/healthz', what: 'Alive: the process answers.', link: true },
  { path: '/readyz', what: 'Ready: age of the head, store, versions.', link: true },
  { path: '/metrics', what: 'Prometheus text.', link: true },
]

const FAVOURITES = ['getMasterchainInfo', 'detectAddress'] as const

function firstCall(registry: Registry): { readonly method: string; readonly params: unknown } {
  const name = FAVOURITES.find((one) => Object.hasOwn(registry, one)) ?? Object.keys(registry)[0] ?? 'rpc.discover'
  return { method: name, params: registry[name]?.example.params ?? {} }
}

/** Params as in a program, or nothing without any. */
function literal(params: unknown): string {
  const entries = Object.entries(params ?? {})
  const inner = entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')
  return entries.length === 0 ? '' : `{ ${inner} }`
}

/** A call as JSON in lines that fit half a page: a line that is broken anywhere reads like a mistake. */
function shortLines(method: string, params: unknown): string {
  const given = Object.keys(params ?? {}).length === 0 ? '' : `,\n       "params": ${JSON.stringify(params)}`
  return `{ "jsonrpc": "2.0", "id": 1,\n       "method": ${JSON.stringify(method)}${given} }`
}

/** One whole page for `/api/`, and for `/` where the explorer is off. */
export function landingPage(facts: ServiceFacts, registry: Registry): string {
  const origin = originOf(facts)
  const { method, params } = firstCall(registry)
  const curl = curlPost(`${origin}/jsonRPC`, shortLines(method, params))
  const client = `import { createClient } from 'tonrpc/client'

const client = createClient({ url: '${origin}' })
const result = await client.${method}(${literal(params)})`
  return renderPage(
    {
      path: '/api/',
      title: `${facts.title}: access to the TON blockchain`,
      description: 'Self-hosted access to the TON blockchain over JSON-RPC and REST.',
      side: null,
      main: html`${hero(facts, registry)}
<section class="pair" aria-label="First calls">
<div><h2>By curl</h2>${codeBlock('A call by curl', sample(curl, facts), 'sample')}</div>
<div><h2>By the client</h2>${codeBlock('A call by the client', sample(client, facts), 'sample')}</div>
</section>
<section aria-labelledby="places">
<h2 id="places">Addresses</h2>
<dl class="places">${PLACES.map(place)}</dl>
</section>`,
    },
    facts,
  )
}

function hero(facts: ServiceFacts, registry: Registry): Html {
  const card = (version: 'v2' | 'v3', title: string, text: string) => {
    // Those of the embedded chain and of discovery are of neither interface.
    const count = entriesOfVersion(version, registry).filter(({ spec }) => spec.rest.length > 0).length
    return html`<a class="card" href="/api/${version}/"><strong>${title}</strong><span>${text}</span><span class="quiet">${count === 0 ? 'no methods yet' : `${count} methods`} · ${facts.versions[version]}</span></a>`
  }
  return html`<section class="hero">
<h1>${facts.title}</h1>
<p class="lede">Access to the TON blockchain on <strong>${facts.network}</strong>: JSON-RPC first, REST as its mirror.</p>
<div class="cards">
${card('v2', 'API v2', 'Balances, blocks, transactions, get-methods, sending messages.')}
${card('v3', 'API v3', 'History, tokens, traces and actions out of an index.')}
</div>
</section>`
}

const place = ({ path, what, link }: Place): Html =>
  html`<div><dt>${link ? html`<a href="${path}"><code>${path}</code></a>` : html`<code>${path}</code>`}</dt><dd>${what}</dd></div>
`
