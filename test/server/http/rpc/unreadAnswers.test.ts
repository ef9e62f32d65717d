// What WebSockets leave unread counts as soon as it is written, and what waits to be written as soon as it is answered.

import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import type { WrittenReply } from '../../../../server/http/dialect/dialect.ts'
import { HeldReplies } from '../../../../server/http/replies/heldReplies.ts'
import type { SocketParts } from '../../../../server/http/rpc/createSockets.ts'
import { connectedTo, rpcSocketsOf } from './socketScene.ts'

const MIB = 1024 * 1024
/** More than both sides of a connection buffer. */
const MOST = 16 * MIB
const LONG: WrittenReply = { status: 200, text: '', texts: ['x'.repeat(10 * MIB)] }
const caller = { subject: 'someone', keyId: null, tier: null }

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A WebSocket that reads nothing until it is resumed, and who had to give way. */
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
  ws.pause()
  const unread = (): number => connections[0]?.writableLength ?? 0
  const codeOfEnd = async (): Promise<unknown> => {
    const closed = once(ws, 'close')
    ws.resume()
    return (await closed)[0]
  }
  return { ws, ways, unread, codeOfEnd }
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

test('long answers that wait behind one', async () => {
  let answer = (_: WrittenReply): void => undefined
  const later = new Promise<WrittenReply>((resolve) => {
    answer = resolve
  })
  let calls = 0
  const { ws, ways, unread, codeOfEnd } = await openUnread({ rpc: () => (calls++ === 0 ? LONG : later) })
  ws.send('{}')
  ws.send('{}')
  ws.send('{}')
  while (calls < 3 || unread() === 0) await turn()
  expect(ways).toEqual([])
  answer(LONG)
  for (let i = 0; i < 5; i++) await turn()
  expect(ways).toEqual(['someone'])
  expect(await codeOfEnd()).toBe(1013)
})

test('of long answers the next is made when the one before was read', async () => {
  let calls = 0
  const rpc: SocketParts['rpc'] = () => {
    calls++
    return LONG
  }
  const { ws, unread } = await openUnread({ rpc }, Number.POSITIVE_INFINITY)
  const asked = 4
  for (let i = 0; i < asked; i++) ws.send('{}')
  while (calls < asked || unread() === 0) await turn()
  for (let i = 0; i < 50; i++) await turn()
  expect(unread()).toBeLessThan(11 * MIB)
  let read = 0
  ws.on('message', () => read++)
  ws.resume()
  while (read < asked) await once(ws, 'message')
})
