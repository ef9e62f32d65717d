// A proxy before a server that counts how often its clients wait for an answer before they send on: each takes as long as the way
// there and back, however quick the server is.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Before the server at an address; `address` leads through it. */
export async function countedTurns(to: string) {
  const { hostname, port } = new URL(to)
  let turns = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    let isAnswered = true
    client.on('data', (chunk) => {
      if (isAnswered) turns++
      isAnswered = false
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      isAnswered = true
      client.write(chunk)
    })
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = new URL(to)
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address: address.href,
    /** Of all its connections since the last call. */
    taken(): number {
      const taken = turns
      turns = 0
      return taken
    },
    close: () => void server.close(),
  }
}
