// Everything a person or a machine reads about the service: OpenAPI, OpenRPC, reference pages, the landing page and the
// two files pages load. All of it is made from the registry by pure functions, so that it cannot differ from what the
// service does. Promises: valid documents, the same text for the same registry, every foreign text escaped.
// Does not know: HTTP, handlers, keys, the state of the chain, where its documents are drawn.

import { METHOD_LIST_PATH, methodPath } from '../../shared/explorer/methodList.ts'
import type { Registry } from '../../shared/registry.ts'
import type { DocumentOrder, DrawDocument } from './documentOrder.ts'
import { entriesOf, type Version } from './entries.ts'
import { type Examples, withExamples } from './examples.ts'
import { guideNames, readGuide } from './guides.ts'
import { once, onceMade } from './once.ts'
import { type Asset, loadAssets, loadPageFiles } from './pageFiles.ts'
import { iconFile } from './pages/icon.ts'
import { landingPage } from './pages/landing.ts'
import { missingPage } from './pages/missing.ts'
import { type DrawnReference, filledReference } from './pages/referencePage.ts'
import { type Shell, shellPage } from './pages/shell.ts'
import type { ServiceFacts } from './serviceFacts.ts'

export { flatten } from './clientTypes/flatten.ts'
export { clientTypes } from './clientTypes/index.ts'
export { createComponents, type JsonSchema } from './components.ts'
export type { DocumentOrder, DrawDocument } from './documentOrder.ts'
export type { Examples } from './examples.ts'
export { openapi } from './openapi.ts'
export { methodList, openrpc, openrpcOfMethod } from './openrpc.ts'
export { type Asset, loadAssets, PAGE_FILES, REFERENCE_SCRIPT } from './pageFiles.ts'
export { barStyles } from './pages/barStyles.ts'
export { designTokens } from './pages/designTokens.ts'
export { escapeHtml } from './pages/html.ts'
export { landingPage } from './pages/landing.ts'
export { referencePage } from './pages/referencePage.ts'
export type { PageFiles, Theme } from './pages/shell.ts'
export { wayToRoot } from './pages/topBar.ts'
export type { ServiceFacts } from './serviceFacts.ts'

type Text = () => Promise<string>

export interface Docs {
  /** JSON text. */
  readonly openapi: { readonly v2: Text; readonly v3: Text }
  /** JSON text: `rpc.discover` answers with it. */
  readonly openrpc: Text
  /** JSON texts, by path: the list of all methods, and the OpenRPC of each alone. */
  readonly methods: ReadonlyMap<string, Text>
  /** Whole HTML documents. */
  readonly pages: { landing(): string; readonly v2: Text; readonly v3: Text; missing(): string }
  /** A page of the explorer. */
  shell(shell: Shell): string
  readonly guides: Guides
  /** An SVG. */
  readonly icon: string
  /** By path. Throws when the package was not built. */
  readonly assets: ReadonlyMap<string, Asset>
}

export interface Guides {
  readonly names: readonly string[]
  /** A whole HTML document: the list of all guides. */
  readonly index: Text
  /** A whole HTML document of a known name. */
  page(name: string): Promise<string>
  /** Markdown, as in the repository. */
  source(name: string): string
}

export interface DocsParts {
  /** Params that have a result on the running chain; those of the definitions without it. */
  readonly examples?: () => Promise<Examples>
  /** Draws the documents that take long. */
  readonly draw: DrawDocument
}

const NO_EXAMPLES = Promise.resolve<Examples>({})

/** Fills a page again when its examples are others. */
function latest(examples: () => Promise<Examples>, make: (examples: Examples) => Promise<string>): Text {
  let made: { readonly of: Examples; readonly text: Text } | undefined
  return async () => {
    const of = await examples()
    if (made?.of !== of) made = { of, text: onceMade(() => make(of)) }
    return await made.text()
  }
}

function createGuides(drawn: (order: DocumentOrder) => Promise<string>): Guides {
  const pages = new Map(guideNames.map((name) => [name, onceMade(() => drawn({ kind: 'guide', name }))]))
  const sources = new Map(guideNames.map((name) => [name, once(() => readGuide(name).text)]))
  return {
    names: guideNames,
    index: onceMade(() => drawn({ kind: 'guides' })),
    page: (name) => pages.get(name)?.() ?? Promise.reject(new Error(`no guide ${name}`)),
    source: (name) => sources.get(name)?.() ?? readGuide(name).text,
  }
}

/** Documents of a service: each is drawn for its first request; pages are filled again when their examples change. */
export function createDocs(
  registry: Registry,
  facts: ServiceFacts,
  { examples = () => NO_EXAMPLES, draw }: DocsParts,
): Docs {
  const drawn = async (order: DocumentOrder): Promise<string> => (await draw(order)).join('')
  const openapi = (version: Version) => onceMade(() => drawn({ kind: 'openapi', version }))
  const reference = (version: Version): Text => {
    const page = onceMade(async (): Promise<DrawnReference> => {
      const [text = '', calls = '{}'] = await draw({ kind: 'reference', version })
      return { page: text, calls: JSON.parse(calls) }
    })
    return latest(examples, async (own) => filledReference(await page(), version, withExamples(registry, own), facts))
  }
  const methods = onceMade(() => draw({ kind: 'methods' }))
  const paths = [METHOD_LIST_PATH, ...entriesOf(registry).map(({ name }) => methodPath(name))]
  const pageFiles = once(loadPageFiles)
  return {
    openapi: { v2: openapi('v2'), v3: openapi('v3') },
    openrpc: onceMade(() => drawn({ kind: 'openrpc' })),
    methods: new Map(paths.map((path, at) => [path, async () => (await methods())[at] ?? ''])),
    pages: {
      landing: once(() => landingPage(facts, registry)),
      v2: reference('v2'),
      v3: reference('v3'),
      missing: once(() => missingPage(facts)),
    },
    shell: (shell) => shellPage(shell, pageFiles(), facts),
    guides: createGuides(drawn),
    icon: iconFile,
    get assets() {
      return loadAssets()
    },
  }
}
