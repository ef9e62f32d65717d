// Pages that are the same for all callers: documents, reference, guides and their assets, by path.

import type { Asset, Docs } from '../../docs/index.ts'
import type { HttpExchange, HttpReply } from '../exchange/exchange.ts'
import type { PluginScript } from '../httpOptions.ts'
import type { KeptReply } from './keptPages.ts'
import { CONTENT_POLICY, sharedPage } from './pageReplies.ts'

/** What is answered at a path. */
export type PageReply = (exchange: HttpExchange) => HttpReply | KeptReply | Promise<HttpReply | KeptReply>

export interface DocumentParts {
  readonly docs: Docs
  /** Further JSON documents, by path. */
  readonly files: ReadonlyMap<string, () => string>
  readonly plugin: PluginScript | null
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const SCRIPT = 'text/javascript; charset=utf-8'

const document =
  (name: string, text: () => string | Promise<string>): PageReply =>
  async () => ({ status: 200, type: 'application/json', body: await text(), name })

export interface DocumentPages {
  /** At the root, where no explorer is. */
  readonly landing: PageReply
  readonly others: readonly [string, PageReply][]
}

export function documentPages({ docs, files, plugin }: DocumentParts): DocumentPages {
  const landing: PageReply = (exchange) => sharedPage('landing', docs.pages.landing(), exchange)
  const v2: PageReply = async (exchange) => sharedPage('v2', await docs.pages.v2(), exchange)
  const v3: PageReply = async (exchange) => sharedPage('v3', await docs.pages.v3(), exchange)
  const guides: PageReply = async (exchange) => sharedPage('guides', await docs.guides.index(), exchange)
  const openapiV2 = document('openapi v2', docs.openapi.v2)
  const openapiV3 = document('openapi v3', docs.openapi.v3)
  const others: [string, PageReply][] = [
    ['/api', landing],
    ['/api/', landing],
    ...['', '/', '/index.html'].flatMap((end): [string, PageReply][] => [
      [`/api/v2${end}`, v2],
      [`/api/v3${end}`, v3],
    ]),
    ['/docs', guides],
    ['/docs/', guides],
    ['/openapi/v2.json', openapiV2],
    ['/openapi/v3.json', openapiV3],
    // Where the reference server has them: probes and generators look there.
    ['/api/v2/openapi.json', openapiV2],
    ['/api/v3/openapi.json', openapiV3],
    ['/api/v3/doc.json', openapiV3],
    ['/api/emulate/doc.json', openapiV3],
    ['/favicon.ico', () => ({ status: 200, type: 'image/svg+xml', body: docs.icon, name: 'icon' })],
    ...[...files].map(([path, text]): [string, PageReply] => [path, document(path, text)]),
    ...[...docs.methods].map(([path, text]): [string, PageReply] => [path, document(path, text)]),
    ...docs.guides.names.flatMap((name) => guidePages(docs, name)),
    ...(plugin === null ? [] : [pluginPage(plugin)]),
    ...assetPages(docs),
  ]
  return { landing, others }
}

function guidePages(docs: Docs, name: string): [string, PageReply][] {
  const guide: PageReply = async (exchange) => sharedPage(`guide ${name}`, await docs.guides.page(name), exchange)
  const source: PageReply = () => ({
    status: 200,
    type: 'text/markdown; charset=utf-8',
    body: docs.guides.source(name),
    name: `${name}.md`,
  })
  return [
    [`/docs/${name}`, guide],
    [`/docs/${name}/`, guide],
    [`/docs/${name}.md`, source],
  ]
}

const pluginPage = ({ path, body }: PluginScript): [string, PageReply] => [
  `/${path}`,
  () => ({ status: 200, type: SCRIPT, body, headers: ['Cache-Control', IMMUTABLE], name: path }),
]

/** How long a caller may cache an asset, and the tag to revalidate it with: a weak one, it is the same in all encodings. */
export const keptHeaders = ({ immutable, etag }: Asset): readonly string[] => [
  'Cache-Control',
  immutable ? IMMUTABLE : 'no-cache',
  'ETag',
  `W/${etag}`,
]

const assetPages = ({ assets }: Docs): [string, PageReply][] =>
  [...assets].map(([path, asset]) => {
    // Of a worker the policy is that of its own script: the operator's decoders call no host.
    const headers = [...keptHeaders(asset), 'Content-Security-Policy', CONTENT_POLICY]
    return [path, () => ({ status: 200, type: asset.type, body: asset.body, headers, name: path })]
  })
