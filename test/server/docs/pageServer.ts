// Pages, assets and stub answers over real HTTP, with the content security policy the service sends.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Docs } from '../../../server/docs/index.ts'

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface Seen {
  readonly verb: string
  readonly url: string
  readonly key: string | undefined
  readonly body: string
}

export interface Stub {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface PageServer {
  readonly url: string
  /** Calls that were no page and no asset, in order. */
  readonly seen: Seen[]
  [Symbol.asyncDispose](): Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}

/** Serves on a free port; `answer` speaks for the API. */
export async function startPages(docs: Docs, answer: (seen: Seen) => Stub): Promise<PageServer> {
  const pages: Readonly<Record<string, () => string | Promise<string>>> = {
    '/': docs.pages.landing,
    '/api/v2/': docs.pages.v2,
    '/api/v3/': docs.pages.v3,
  }
  const seen: Seen[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? ''
    const page = pages[url.split('?')[0] ?? '']
    const asset = docs.assets.get(url)
    if (page) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': CSP })
      response.end(await page())
    } else if (asset) response.writeHead(200, { 'Content-Type': asset.type, ETag: asset.etag }).end(asset.body)
    else {
      const key = request.headers['x-api-key']
      const call = { verb: request.method ?? '', url, key: key?.toString(), body: await bodyOf(request) }
      seen.push(call)
      const stub = answer(call)
      response.writeHead(stub.status, { 'Content-Type': 'application/json', ...stub.headers }).end(stub.body)
    }
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
