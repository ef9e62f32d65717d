// What WebSockets leave unread counts as soon as it is written, and what waits to be written as soon as it is answered.

import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import type { WrittenReply } from '../../../../server/http/dialect/dialect.ts'
import { HeldReplies } from '../../../../server/http/replies/heldReplies.ts'
import type { SocketParts } from '../../../../server/http/rpc/createSockets.ts'
import { connectedTo, rpcSocketsOf } from './socketScene.ts'

const MIB = 1024 * 1024
/** Of a long answer: more than a connection may leave unread for long. */
const LENGTH = 6 * MIB
/** More than one long answer, and less than two. */
const MOST = 8 * MIB
const LONG: WrittenReply = { status: 200, text: '', texts: ['x'.repeat(LENGTH)] }
const caller = { subject: 'someone', keyId: null, tier: null }

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A WebSocket of which nothing goes out until it is let, and who had to give way. */
async function openUnread(
  { rpc, limits = {} }: Pick<Parameters<typeof rpcSocketsOf>[0], 'rpc' | 'limits'>,
  most = MOST,
) {
  const ways: string[] = []
  const held = new HeldReplies(most, (subject) => void ways.push(subject))
  const sockets = rpcSocketsOf({ rpc, limits, held })
  const connections: Duplex[] = []
  const ws = await connectedTo((req, socket: Duplex, head) => {
    connections.push(socket)
    held.add(socket, caller.subject)
    const peer = { identify: () => caller, door: 'strict', whyNoControl: null, holder: held.of(socket) } as const
    // The cast: as in the scene.
    sockets.take(req, socket as never, head, peer)
  })
  onTestFinished(() => ws.terminate())
  const wire = connections[0] ?? expect.fail('no connection')
  // However much the system would take.
  wire.cork()
  const unread = (): number => wire.writableLength
  const letOut = (): void => wire.uncork()
  const codeOfEnd = async (): Promise<unknown> => {
    const closed = once(ws, 'close')
    letOut()
    return (await closed)[0]
  }
  return { ws, ways, unread, letOut, codeOfEnd }
}

test('many short answers', async () => {
  const calls = 1000
  let answers = 0
  const rpc: SocketParts['rpc'] = () => {
    answers++
    return { status: 200, text: 'x'.repeat(MIB / 16) }
  }
  const { ws, ways, codeOfEnd } = await openUnread({ rpc, limits: { slowBytes: Number.POSITIVE_INFINITY } })
  for (let i = 0; i < calls; i++) ws.send('{}')
  while (answers < calls && ways.length === 0) await turn()
  expect(ways).toEqual(['someone'])
  expect(await codeOfEnd()).toBe(1013)
})

/** What a call waits for until the test gives it. */
function openAnswer() {
  let give = (_: WrittenReply): void => undefined
  const given = new Promise<WrittenReply>((resolve) => {
    give = resolve
  })
  return { given, give }
}

test('long answers that wait behind one', async () => {
  const first = openAnswer()
  const later = openAnswer()
  let calls = 0
  const rpc: SocketParts['rpc'] = () => (calls++ === 0 ? first : later).given
  const { ws, ways, unread, codeOfEnd } = await openUnread({ rpc })
  const asked = 3
  for (let i = 0; i < asked; i++) ws.send('{}')
  while (calls < asked) await turn()
  first.give(LONG)
  while (unread() === 0) await turn()
  expect(ways).toEqual([])
  later.give(LONG)
  for (let i = 0; i < 5; i++) await turn()
  expect(ways).toEqual(['someone'])
  expect(await codeOfEnd()).toBe(1013)
})

test('of long answers the next is made when the one before was read', async () => {
  const all = openAnswer()
  let calls = 0
  const rpc: SocketParts['rpc'] = () => {
    calls++
    return all.given
  }
  const { ws, unread, letOut } = await openUnread({ rpc }, Number.POSITIVE_INFINITY)
  const asked = 4
  for (let i = 0; i < asked; i++) ws.send('{}')
  while (calls < asked) await turn()
  all.give(LONG)
  while (unread() === 0) await turn()
  for (let i = 0; i < 50; i++) await turn()
  expect(unread()).toBeLessThan(LENGTH + MIB)
  let read = 0
  ws.on('message', () => read++)
  letOut()
  while (read < asked) await once(ws, 'message')
})
