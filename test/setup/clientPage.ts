// A page of its own origin with the client's bundle on it, for tests in a browser.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type * as clientModule from '../../client/index.ts'
import type * as socketModule from '../../client/ws.ts'

/** What the page has: the two entries, each as one file. */
export interface InPage {
  readonly client: typeof clientModule
  readonly ws: typeof socketModule
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    stdin: {
      contents: `import * as client from './client/index.ts'; import * as ws from './client/ws.ts'; Object.assign(globalThis, { client, ws })`,
      resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  })
  return outputFiles.map(({ text }) => text).join('')
}

/** Serves an empty page with the bundle. */
export async function startPages(): Promise<AsyncDisposable & { readonly url: string }> {
  const script = await bundle()
  const server = createServer((request, response) => {
    if (request.url === '/bundle.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/bundle.js"></script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
