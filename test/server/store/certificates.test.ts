// A PostgreSQL that is reached over TLS, with the certificate of an authority that Node does not know, as of most hosts of databases.

import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { toStoreError } from '../../../server/store/failure.ts'
import { connectionConfig } from '../../../server/store/postgres/connectionConfig.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** The address of a real server behind one that ends TLS for it, and the certificate that is its own authority. */
async function behindTls() {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  const key = join(folder, 'key.pem')
  const file = join(folder, 'certificate.pem')
  const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=db -addext subjectAltName=DNS:localhost -keyout ${key} -out ${file}`
  execFileSync('openssl', words.split(' '), { stdio: 'ignore' })
  const secrets = { key: await readFile(key), cert: await readFile(file) }
  const database = await emptyDatabase()
  const { hostname, port } = new URL(database)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined))
    // The request for TLS, which is not part of it.
    socket.once('data', () => {
      socket.pause().write('S')
      const plain = new TLSSocket(socket, { isServer: true, ...secrets }).on('error', () => undefined)
      plain.pipe(connect(Number(port), hostname).on('error', () => undefined)).pipe(plain)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await dropDatabase(database)
    await rm(folder, { recursive: true, force: true })
  })
  const address = new URL(database)
  address.host = `localhost:${(server.address() as AddressInfo).port}`
  return { address: address.href, file }
}

async function connected(address: string): Promise<unknown> {
  const client = new pg.Client(connectionConfig(address))
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query('select 1 as one')).rows
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

describe.runIf(drivers.includes('postgres') && hasOpenssl)('over TLS', () => {
  test.each(['require', 'verify-ca', 'verify-full'])('sslmode=%s: one line says what to add', async (mode) => {
    const { address, file } = await behindTls()
    const warned = vi.fn()
    // What else runs in this process may warn of its own.
    const onWarning = ({ message }: Error) => {
      if (message.includes('SSL')) warned(message)
    }
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    await expect(connected(`${address}?sslmode=${mode}`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The database cannot be reached: .*certificate.*sslrootcert=FILE/),
    })
    expect(await connected(`${address}?sslmode=${mode}&sslrootcert=${file}`)).toEqual([{ one: 1 }])
    await setImmediate()
    expect(warned).not.toHaveBeenCalled()
  })

  test('a name that is not in the certificate is refused', async () => {
    const { address, file } = await behindTls()
    const other = address.replace('localhost', '127.0.0.1')
    await expect(connected(`${other}?sslmode=require&sslrootcert=${file}`)).rejects.toThrow(
      /does not match certificate/,
    )
  })
})

test.each([
  [
    'no pg_hba.conf entry for host "10.0.0.1", user "a", database "b", no encryption',
    /; .* add sslmode=verify-full to its address$/,
  ],
  ['connection requires a valid client certificate', /; add sslcert=FILE and sslkey=FILE to its address$/],
])('a login that is refused says what its address lacks: %s', (text, advice) => {
  const refused = Object.assign(new pg.DatabaseError(text, text.length, 'error'), { code: '28000' })
  expect(toStoreError(refused)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(advice) })
})
