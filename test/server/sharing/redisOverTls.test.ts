// A Redis that is reached over TLS, with the certificate of an authority that Node does not know, as of most hosts of them.

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { RedisConnection } from '../../../server/sharing/index.ts'
import { hasRedis, ownRedis } from '../../setup/ownRedis.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** The port of a server that ends TLS for a Redis. */
async function behindTls(redis: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  const key = join(folder, 'key.pem')
  const file = join(folder, 'certificate.pem')
  const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=redis -addext subjectAltName=DNS:localhost -keyout ${key} -out ${file}`
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' })
  const open = new Set<TLSSocket>()
  const server = createServer({ key: await readFile(key), cert: await readFile(file) }, (socket) => {
    open.add(socket.on('error', () => undefined))
    socket.pipe(connect(redis, '127.0.0.1').on('error', () => undefined)).pipe(socket)
  }).listen(0)
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  // The cast: it listens on a port.
  return (server.address() as AddressInfo).port
}

test.runIf(hasRedis && hasOpenssl)('the reason says how Node is told of the authority', async () => {
  await using redis = await ownRedis()
  const port = await behindTls(redis.port)
  const failure = await new Promise<Error | null>((resolve) => {
    const connection = new RedisConnection({ address: `rediss://localhost:${port}`, onChange: resolve })
    onTestFinished(() => connection.close())
  })
  expect(failure?.message).toMatch(/^self-signed certificate; start with NODE_EXTRA_CA_CERTS=FILE, /)
})
