// The reference: node:http with nothing on it. It reads a request to its end and answers bytes it was given at start.

import { createServer } from 'node:http'

process.once('message', ({ headers, body }: { headers: string[]; body: string }) => {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      res.writeHead(200, headers)
      res.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
