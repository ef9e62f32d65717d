// A proxy that has the service below a prefix, as one in front of several services does.

import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Passes on what is below a prefix, without it. */
export async function startPrefixProxy(
  prefix: string,
  target: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port } = new URL(target)
  const server = createServer((req, res) => {
    const path = (req.url ?? '').replace(new RegExp(`^${prefix}(?=/)`), '')
    const { method, headers } = req
    const passed = request({ hostname, port, path, method, headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(res)
    })
    req.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
