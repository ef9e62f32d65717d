// The one WebSocket of a transport, with a clock that stands still.

import { expect, onTestFinished, test, vi } from 'vitest'
import { RECONNECT, ReconnectingSocket, type SocketLike } from '../../client/socket.ts'

class StubSocket implements SocketLike {
  readonly closed: (number | undefined)[] = []
  readonly #listeners = new Map<string, (event: never) => void>()

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener)
  }

  send(): void {}

  close(code?: number): void {
    this.closed.push(code)
  }

  /** What comes from the network. The cast: each event has members of its own. */
  tell(type: string, event: object = {}): void {
    this.#listeners.get(type)?.(event as never)
  }
}

function connecting() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sockets: StubSocket[] = []
  const texts: string[] = []
  const breaks: number[] = []
  const connection = new ReconnectingSocket({
    dial: () => {
      const socket = new StubSocket()
      sockets.push(socket)
      return socket
    },
    address: 'ws://stub',
    reconnect: RECONNECT,
    onText: (text) => texts.push(text),
    onBreak: (code) => breaks.push(code),
  })
  const { signal } = new AbortController()
  const open = async (): Promise<StubSocket> => {
    const before = sockets.length
    const opening = connection.open(signal)
    const socket = sockets[before]
    socket?.tell('open')
    await opening
    return socket ?? expect.unreachable()
  }
  return { connection, sockets, texts, breaks, open, signal }
}

async function opened() {
  const parts = connecting()
  return { ...parts, socket: await parts.open() }
}

test('default: a socket that has opened stays open, whatever the time limit of an attempt', async () => {
  const { connection, socket, sockets, texts, signal } = await opened()
  vi.advanceTimersByTime(10 * RECONNECT.timeoutMs)
  expect(socket.closed).toEqual([])
  expect(await connection.open(signal)).toBe(socket)
  socket.tell('message', { data: 'a reply' })
  expect([sockets.length, texts]).toEqual([1, ['a reply']])
})

test('behavior: of a socket that was given up the calls fail, nothing more is heard, and the next call opens another', async () => {
  const { connection, socket, sockets, texts, breaks, open } = await opened()
  connection.drop()
  expect([breaks, socket.closed]).toEqual([[1006], [undefined]])
  const next = await open()
  socket.tell('message', { data: 'late' })
  socket.tell('close', { code: 1000 })
  next.tell('message', { data: 'a reply' })
  expect([sockets.length, texts, breaks, next.closed]).toEqual([2, ['a reply'], [1006], []])
  connection.drop()
  connection.drop()
  expect(breaks).toEqual([1006, 1006])
})

test('behavior: at the end the socket is closed as one that is not needed any more', async () => {
  const { connection, socket, signal } = await opened()
  connection.close()
  expect(socket.closed).toEqual([1000])
  await expect(connection.open(signal)).rejects.toMatchObject({ reason: 'closed' })
})

test('error: closed at the instant in which its socket opens, no call gets the socket', async () => {
  const { connection, sockets, signal } = connecting()
  const opening = connection.open(signal)
  sockets[0]?.tell('open')
  connection.close()
  await expect(opening).rejects.toMatchObject({ reason: 'closed' })
  expect(sockets[0]?.closed).toEqual([1000])
})
