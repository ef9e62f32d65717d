// Addresses of the names that strangers give: asked of a name server here, whose answers differ by the kind of address.

import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { addressesOf } from '../../../server/outbound/index.ts'

const { signal } = new AbortController()
const FOUR = { address: '1.1.1.1', family: 4 }
const SIX = { address: '2606:4700:4700::1111', family: 6 }
/** Types of records, and their bytes. */
const RECORDS = new Map([
  [1, Buffer.from('01010101', 'hex')],
  [28, Buffer.from('26064700470000000000000000001111', 'hex')],
])
const NO_FAULT = 0
const SERVER_FAULT = 2
const NO_SUCH_NAME = 3

/** The answer to a query of one name: the query itself, with a record behind it for a type that the name has. */
function answerOf(query: Buffer, has: readonly number[], fault: number): Buffer {
  const end = query.indexOf(0, 12) + 5
  const type = query.readUInt16BE(end - 4)
  const bytes = has.includes(type) ? RECORDS.get(type) : undefined
  const head = Buffer.from(query.subarray(0, end))
  head.writeUInt16BE(0x8180 | (bytes === undefined ? fault : NO_FAULT), 2)
  head.fill(0, 6, 12)
  if (bytes === undefined) return head
  head.writeUInt16BE(1, 6)
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(60, 6)
  record.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, record, bytes])
}

/** Has this process ask a name server whose names have addresses of some types, and a fault for the others. */
async function nameServer(has: readonly number[], fault: number): Promise<void> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answerOf(query, has, fault), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const server = `127.0.0.1:${socket.address().port}`
  for (const kind of ['resolve4', 'resolve6'] as const) {
    const own = Resolver.prototype[kind]
    vi.spyOn(Resolver.prototype, kind).mockImplementation(function (this: Resolver, name: string) {
      if (!this.getServers().includes(server)) this.setServers([server])
      return Reflect.apply(own, this, [name])
    })
  }
}

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['both', [1, 28], NO_FAULT, [FOUR, SIX]],
  ['version 4 alone', [1], NO_FAULT, [FOUR]],
  ['version 6 alone', [28], NO_FAULT, [SIX]],
  ['version 4, of a server that fails for the other', [1], SERVER_FAULT, [FOUR]],
  ['version 6, of a server that denies the name for the other', [28], NO_SUCH_NAME, [SIX]],
] as const)('a host has addresses of %s', async (_, has, fault, expected) => {
  await nameServer(has, fault)
  expect(await addressesOf('a.example', {}, signal)).toEqual(expected)
})

test.each([NO_FAULT, SERVER_FAULT, NO_SUCH_NAME])('a host without any is not known: %i', async (fault) => {
  await nameServer([], fault)
  await expect(addressesOf('a.example', {}, signal)).rejects.toMatchObject({
    code: 'failed',
    message: 'the host is not known',
  })
})

test('a name for which nothing is found has no address', async () => {
  const none = addressesOf('a.example', { resolve: () => Promise.resolve([]) }, signal)
  await expect(none).rejects.toMatchObject({ code: 'failed', message: 'the host has no address' })
})
