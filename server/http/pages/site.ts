// The pages of the service put together: the explorer, its pictures, documents and health.

import type { IncomingMessage } from 'node:http'
import type { Registry } from '../../../shared/registry.ts'
import type { Caller } from '../../access/index.ts'
import type { Dispatch } from '../../methods/index.ts'
import type { WhyNoControl } from '../callers/controlAccess.ts'
import type { HttpExchange } from '../exchange/exchange.ts'
import type { HttpOptions } from '../httpOptions.ts'
import type { KeysService } from '../keys/keysRequest.ts'
import { FAILURES_PATH } from '../paths/keysPaths.ts'
import { createPages, type Pages, type PagesParts, type Readiness } from './createPages.ts'
import { createExplorer, type Document } from './explorer.ts'
import { createPictureDoor } from './pictureDoor.ts'

export interface SiteParts extends Pick<PagesParts, 'docs' | 'metrics' | 'log'> {
  readonly dispatch: Dispatch
  readonly registry: Registry
  /** Further JSON documents to serve, by path. */
  readonly files?: ReadonlyMap<string, () => string>
  readonly keys: KeysService
  readonly options: HttpOptions
}

export interface SiteNeeds extends Pick<PagesParts, 'exchangeOf'> {
  readonly readiness: () => Promise<Readiness>
  readonly callerOf: (req: IncomingMessage) => Caller
  readonly whyNoControl: WhyNoControl
}

export function createSite(parts: SiteParts, { readiness, callerOf, whyNoControl, exchangeOf }: SiteNeeds): Pages {
  const { registry, docs, metrics, log, dispatch, options, files = new Map<string, () => string>() } = parts
  const { pictureAt, plugin, network, publicUrl, limits } = options
  const hasExplorer = options.explorer !== 'off'
  const pictures = pictureAt === null || !hasExplorer ? null : createPictureDoor({ dispatch, callerOf, pictureAt })
  /** Throws ApiError for callers who may not see it. */
  const failuresFor = async ({ req }: HttpExchange): Promise<Document> => {
    const caller = callerOf(req)
    const request = { verb: 'GET', path: FAILURES_PATH, query: '', body: '', token: '', caller }
    const { status, json } = await parts.keys({ ...request, isControl: whyNoControl(req) === null })
    return { status, text: json }
  }
  const explorer = !hasExplorer
    ? null
    : createExplorer({
        network,
        publicUrl,
        docs,
        limits,
        dispatch,
        whyNoControl,
        callerOf,
        plugin: plugin?.path ?? null,
        pictures: pictures !== null && options.fetchesPictures,
        documentAt: (path, exchange) =>
          path === FAILURES_PATH ? failuresFor(exchange) : pages.documentAt(path, exchange),
      })
  const pages = createPages({
    docs,
    metrics,
    log,
    readiness,
    files,
    exchangeOf,
    explorer,
    pictures,
    plugin,
    paths: Object.values(registry).flatMap(({ rest }) => rest.map(({ path }) => path)),
    lateMs: limits.lateMs,
    bodyBytes: limits.bodyBytes,
  })
  return pages
}
