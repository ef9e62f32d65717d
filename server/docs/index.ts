// Everything a person or a machine reads about the service: OpenAPI, OpenRPC, reference pages, the landing page and the
// two files pages load. All of it is made from the registry by pure functions, so that it cannot differ from what the
// service does. Promises: valid documents, the same text for the same registry, every foreign text escaped.
// Does not know: HTTP, handlers, keys, the state of the chain.

import { METHOD_LIST_PATH, methodPath } from '../../shared/explorer/methodList.ts'
import type { Registry } from '../../shared/registry.ts'
import { createComponents } from './components.ts'
import { entriesOf } from './entries.ts'
import { type Examples, withExamples } from './examples.ts'
import { guideNames, readGuide } from './guides.ts'
import { openapi } from './openapi.ts'
import { methodList, openrpc, openrpcOfMethod } from './openrpc.ts'
import { type Asset, loadAssets, loadPageFiles } from './pageFiles.ts'
import { iconFile } from './pages/icon.ts'
import { landingPage } from './pages/landing.ts'
import { missingPage } from './pages/missing.ts'
import { referencePage } from './pages/referencePage.ts'
import { type Shell, shellPage } from './pages/shell.ts'
import type { ServiceFacts } from './serviceFacts.ts'

export { flatten } from './clientTypes/flatten.ts'
export { clientTypes } from './clientTypes/index.ts'
export { createComponents, type JsonSchema } from './components.ts'
export type { Examples } from './examples.ts'
export { openapi } from './openapi.ts'
export { methodList, openrpc, openrpcOfMethod } from './openrpc.ts'
export { loadAssets, PAGE_FILES, type PageFiles, REFERENCE_SCRIPT } from './pageFiles.ts'
export { barStyles } from './pages/barStyles.ts'
export { designTokens } from './pages/designTokens.ts'
export { escapeHtml } from './pages/html.ts'
export { landingPage } from './pages/landing.ts'
export { referencePage } from './pages/referencePage.ts'
export type { Theme } from './pages/shell.ts'
export { wayToRoot } from './pages/topBar.ts'
export type { ServiceFacts } from './serviceFacts.ts'

export interface Docs {
  /** JSON text. */
  readonly openapi: { v2(): string; v3(): string }
  /** As an object, because `rpc.discover` answers with it. */
  openrpc(): Readonly<Record<string, unknown>>
  /** JSON texts, by path: the list of all methods, and the OpenRPC of each alone. */
  readonly methods: ReadonlyMap<string, () => string>
  /** Whole HTML documents. */
  readonly pages: { landing(): string; v2(): Promise<string>; v3(): Promise<string>; missing(): string }
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
  index(): Promise<string>
  /** A whole HTML document of a known name. */
  page(name: string): Promise<string>
  /** Markdown, as in the repository. */
  source(name: string): string
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const NO_EXAMPLES = Promise.resolve<Examples>({})

/** Makes a page again when its examples are others. */
function latest(examples: () => Promise<Examples>, make: (examples: Examples) => string): () => Promise<string> {
  let made: { readonly of: Examples; readonly text: string } | undefined
  return async () => {
    const of = await examples()
    if (made?.of !== of) made = { of, text: make(of) }
    return made.text
  }
}

/** The Markdown renderer is loaded with the first page, not at the start. A failure is not cached. */
function createGuides(facts: ServiceFacts): Guides {
  const made = new Map<string, Promise<string>>()
  const keep = (key: string, make: () => Promise<string>): Promise<string> => {
    const page = made.get(key) ?? make()
    made.set(key, page)
    page.catch(() => made.delete(key))
    return page
  }
  const renderer = () => import('./pages/guide.ts')
  return {
    names: guideNames,
    index: () => keep('', async () => (await renderer()).guidesPage(facts)),
    page: (name) => keep(name, async () => (await renderer()).guidePage(name, facts)),
    source: (name) => readGuide(name).text,
  }
}

/** Documents of a service: each is made for its first request, then cached; pages until their examples change. */
export function createDocs(
  registry: Registry,
  facts: ServiceFacts,
  examples: () => Promise<Examples> = () => NO_EXAMPLES,
): Docs {
  const components = once(() => createComponents(registry, 'draft-2020-12'))
  const rpcComponents = once(() => createComponents(registry, 'draft-7'))
  const pageFiles = once(loadPageFiles)
  return {
    openapi: {
      v2: once(() => JSON.stringify(openapi('v2', registry, facts, components()))),
      v3: once(() => JSON.stringify(openapi('v3', registry, facts, components()))),
    },
    openrpc: once(() => openrpc(registry, facts, rpcComponents())),
    methods: new Map([
      [METHOD_LIST_PATH, once(() => JSON.stringify(methodList(registry, rpcComponents())))],
      ...entriesOf(registry).map((entry): [string, () => string] => [
        methodPath(entry.name),
        () => JSON.stringify(openrpcOfMethod(entry, facts, rpcComponents())),
      ]),
    ]),
    pages: {
      landing: once(() => landingPage(facts, registry)),
      v2: latest(examples, (drawn) => referencePage('v2', withExamples(registry, drawn), facts, components())),
      v3: latest(examples, (drawn) => referencePage('v3', withExamples(registry, drawn), facts, components())),
      missing: once(() => missingPage(facts)),
    },
    shell: (shell) => shellPage(shell, pageFiles(), facts),
    guides: createGuides(facts),
    icon: iconFile,
    get assets() {
      return loadAssets()
    },
  }
}
