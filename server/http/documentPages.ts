// Pages that are the same for all callers: documents, reference, guides and their assets, by path.

import type { Asset, Docs } from '../docs/index.ts'
import type { HttpExchange, HttpReply } from './exchange.ts'
import type { PluginScript } from './httpOptions.ts'
import { CONTENT_POLICY, LinkedPages } from './pageReplies.ts'

/** What is answered at a path. */
export type PageReply = (exchange: HttpExchange) => HttpReply | Promise<HttpReply>

export interface DocumentParts {
  readonly docs: Docs
  /** Further JSON documents, by path. */
  readonly files: ReadonlyMap<string, string>
  readonly plugin: PluginScript | null
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const SCRIPT = 'text/javascript; charset=utf-8'

const document =
  (text: () => string | Promise<string>): PageReply =>
  async () => ({ status: 200, type: 'application/json', body: await text() })

export interface DocumentPages {
  /** At the root, where no explorer is. */
  readonly landing: PageReply
  readonly others: readonly [string, PageReply][]
}

export function documentPages({ docs, files, plugin }: DocumentParts): DocumentPages {
  const linked = new LinkedPages()
  const landing: PageReply = (exchange) => linked.page(docs.pages.landing(), exchange)
  const v2: PageReply = async (exchange) => linked.page(await docs.pages.v2(), exchange)
  const v3: PageReply = async (exchange) => linked.page(await docs.pages.v3(), exchange)
  const guides: PageReply = async (exchange) => linked.page(await docs.guides.index(), exchange)
  const others: [string, PageReply][] = [
    ['/api', landing],
    ['/api/', landing],
    ...['', '/', '/index.html'].flatMap((end): [string, PageReply][] => [
      [`/api/v2${end}`, v2],
      [`/api/v3${end}`, v3],
    ]),
    ['/docs', guides],
    ['/docs/', guides],
    ['/openapi/v2.json', document(docs.openapi.v2)],
    ['/openapi/v3.json', document(docs.openapi.v3)],
    // Where the reference server has them: probes and generators look there.
    ['/api/v2/openapi.json', document(docs.openapi.v2)],
    ['/api/v3/openapi.json', document(docs.openapi.v3)],
    ['/api/v3/doc.json', document(docs.openapi.v3)],
    ['/favicon.ico', () => ({ status: 200, type: 'image/svg+xml', body: docs.icon })],
    ...[...files].map(([path, text]): [string, PageReply] => [path, document(() => text)]),
    ...[...docs.methods].map(([path, text]): [string, PageReply] => [path, document(text)]),
    ...docs.guides.names.flatMap((name) => guidePages(docs, linked, name)),
    ...(plugin === null ? [] : [pluginPage(plugin)]),
    ...assetPages(docs),
  ]
  return { landing, others }
}

function guidePages(docs: Docs, linked: LinkedPages, name: string): [string, PageReply][] {
  const guide: PageReply = async (exchange) => linked.page(await docs.guides.page(name), exchange)
  const source: PageReply = () => ({
    status: 200,
    type: 'text/markdown; charset=utf-8',
    body: docs.guides.source(name),
  })
  return [
    [`/docs/${name}`, guide],
    [`/docs/${name}/`, guide],
    [`/docs/${name}.md`, source],
  ]
}

const pluginPage = ({ path, body }: PluginScript): [string, PageReply] => [
  `/${path}`,
  () => ({ status: 200, type: SCRIPT, body, headers: ['Cache-Control', IMMUTABLE] }),
]

/** How long a caller may cache an asset, and the tag to revalidate it with. */
export const keptHeaders = ({ immutable, etag }: Asset): readonly string[] => [
  ...['Cache-Control', immutable ? IMMUTABLE : 'no-cache'],
  ...['ETag', etag],
]

const assetPages = ({ assets }: Docs): [string, PageReply][] =>
  [...assets].map(([path, asset]) => {
    // Of a worker the policy is that of its own script: the operator's decoders call no host.
    const headers = [...keptHeaders(asset), 'Content-Security-Policy', CONTENT_POLICY]
    return [path, () => ({ status: 200, type: asset.type, body: asset.body, headers })]
  })
