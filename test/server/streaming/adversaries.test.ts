// Difficult clients of streams: they read one byte at a time, write addresses in every form, or change their subscription
// thousands of times.

import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Address } from '@ton/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gaugeOf } from '../../setup/gauge.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openEvents, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
/** A second is enough for what may be unread. */
const limits = { streamBytes: 1 << 19, streamBytesPerSecond: 1 << 19 }
const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' }, limits }))
let opened: ReturnType<typeof openWallet> | null = null
/** One for all tests: each of its messages has the next number. */
const wallet = () => {
  opened ??= openWallet(service())
  return opened
}

const gauge = (name: string): Promise<number> => gaugeOf(service(), name)

const callOf = (id: number, method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method, params })

describe('a reader of one byte at a time', () => {
  /** A connection of which every read takes one byte. */
  function readByBytes(head: string, body: string | Buffer) {
    let all = Buffer.alloc(1 << 16)
    const state = { isPaused: false, isOver: false, bytes: 0 }
    const buffer = Buffer.alloc(1)
    const { port } = new URL(service().url)
    const socket = connect({
      port: Number(port),
      host: '127.0.0.1',
      onread: {
        buffer,
        callback: (_count, bytes) => {
          if (state.bytes === all.length) all = Buffer.concat([all, Buffer.alloc(all.length)])
          all[state.bytes++] = bytes[0] ?? 0
          return !state.isPaused
        },
      },
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      state.isOver = true
    })
    onTestFinished(() => void socket.destroy())
    socket.write(head)
    socket.write(body)
    return {
      state,
      socket,
      text: () => all.toString('latin1', 0, state.bytes),
      bytes: () => all.subarray(0, state.bytes),
    }
  }

  const eventsOf = (wish: object) => {
    const body = JSON.stringify(wish)
    return readByBytes(
      `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
      body,
    )
  }

  /** A text frame of a client, masked with zeros. */
  function frame(text: string): Buffer {
    const payload = Buffer.from(text)
    const head = Buffer.alloc(8)
    head[0] = 0x81
    head[1] = 0x80 | 126
    head.writeUInt16BE(payload.length, 2)
    return Buffer.concat([head, payload])
  }

  const socketOf = (wish: object) =>
    readByBytes(
      'GET /api/streaming/v2/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      frame(JSON.stringify({ operation: 'subscribe', id: '1', ...wish })),
    )

  /** Texts of the frames in what came behind the upgrade. */
  function textsIn(bytes: Buffer): string[] {
    const texts: string[] = []
    let at = bytes.indexOf('\r\n\r\n') + 4
    while (at + 2 <= bytes.length) {
      const short = (bytes[at + 1] ?? 0) & 0x7f
      const [start, size] = short < 126 ? [2, short] : short === 126 ? [4, bytes.readUInt16BE(at + 2)] : [10, NaN]
      if (at + start + size > bytes.length) break
      if (bytes[at] === 0x81) texts.push(bytes.toString('utf8', at + start, at + start + size))
      at += start + size
    }
    return texts
  }

  test('receives every notification whole', async () => {
    const { raw, send, mine } = await wallet()
    const wish = { types: ['transactions', 'actions', 'blocks'], addresses: [raw, RECEIVER] }
    const whole = await openSocket(service())
    await whole.say('subscribe', wish)
    const events = eventsOf(wish)
    const socket = socketOf(wish)
    await eventually(() => (events.text().includes('subscribed') && textsIn(socket.bytes()).length > 0) || undefined)
    for (let i = 0; i < 3; i++) {
      await send(RECEIVER, { comment: `ünï ${i}` })
      await mine()
    }
    await eventually(() => (whole.notices().length >= 12 ? true : undefined))
    const wanted = whole.notices().map((one) => JSON.stringify(one))
    const heard = () =>
      [
        ...events
          .bytes()
          .toString('utf8')
          .matchAll(/^data: (.*"cursor".*)\n/gm),
      ].map(([, text]) => text)
    await eventually(() => (heard().length >= wanted.length ? true : undefined))
    expect(heard().slice(0, wanted.length)).toEqual(wanted)
    await eventually(() => (textsIn(socket.bytes()).length > wanted.length ? true : undefined))
    expect(textsIn(socket.bytes()).slice(1, 1 + wanted.length)).toEqual(wanted)
  })

  test('that has stopped within a replay is closed in bounded time, and resumes behind what it has', async () => {
    const { raw, send, mine } = await wallet()
    const wish = { types: ['transactions', 'blocks'], addresses: [raw, RECEIVER] }
    const whole = await openSocket(service())
    await whole.say('subscribe', wish)
    await mine()
    const { cursor } = await whole.frames.first((one) => one.cursor !== undefined)
    const begun = whole.notices().length
    // More than the sockets of both sides hold back.
    for (let i = 0; i < 100; i++) {
      await send(RECEIVER, { comment: 'large'.repeat(6000) })
      await mine()
    }
    const { last } = await (await wallet()).client.getMasterchainInfo()
    const isLast = ({ block }: Frame) => (block as Frame | undefined)?.workchain === 0
    await eventually(
      () =>
        whole
          .notices()
          .some((one) => isLast(one) && ((one.block as Frame).masterchain_block_ref as Frame).seqno === last.seqno) ||
        undefined,
    )
    const slow = await gauge('tonrpc_stream_slow_readers_total')
    const events = eventsOf({ ...wish, after: cursor })
    await eventually(() => events.text().includes('subscribed') || undefined)
    // A byte now and then is not reading.
    const trickle = setInterval(() => {
      events.state.isPaused = true
      events.socket.resume()
    }, 20)
    await eventually(async () => (await gauge('tonrpc_stream_slow_readers_total')) > slow || undefined)
    clearInterval(trickle)
    events.state.isPaused = false
    events.socket.resume()
    await eventually(() => events.state.isOver || undefined)
    const ids = [...events.text().matchAll(/^id: (\S+)\nevent: event\ndata: .*"cursor":"\S+"}$/gm)].map(([, id]) => id)
    const all = whole.notices().map((one) => one.cursor)
    const at = all.indexOf(ids.at(-1) ?? cursor)
    expect(ids).toEqual(all.slice(all.indexOf(cursor) + 1, at + 1))
    const back = await openEvents(service(), wish, { 'Last-Event-ID': String(all[at]) })
    await eventually(() => (back.notices().length >= all.length - at - 1 ? true : undefined))
    expect(back.notices().map((one) => one.cursor)).toEqual(all.slice(at + 1))
    expect(begun).toBeGreaterThan(0)
  })
})

describe('names', () => {
  test('an account in each of its forms is one account', async () => {
    const { send, mine } = await wallet()
    // Its friendly forms have characters that differ between both alphabets of base64.
    const raw = `0:${'FBEF'.repeat(16)}`
    const account = Address.parse(raw)
    const forms = [
      raw,
      raw.toLowerCase(),
      ` ${raw}\t`,
      ...[true, false].flatMap((bounceable) =>
        [true, false].flatMap((testOnly) =>
          [true, false].map((urlSafe) => account.toString({ bounceable, testOnly, urlSafe })),
        ),
      ),
    ]
    expect(new Set(forms).size).toBe(forms.length)
    const streams = await Promise.all(
      forms.map(async (form) => {
        const stream = await openSocket(service())
        expect(await stream.say('subscribe', { types: ['account_state_change'], addresses: [form] })).toMatchObject({
          status: 'subscribed',
        })
        return stream
      }),
    )
    await send(raw)
    await mine()
    for (const { frames } of streams)
      expect(await frames.first(({ type }) => type === 'account_state_change')).toMatchObject({ account: raw })
    // Given in one form and taken back in another.
    const [first] = streams
    for (const form of forms) {
      await first?.say('subscribe', { types: ['account_state_change'], addresses: forms })
      await first?.say('unsubscribe', { addresses: [form] })
    }
    await send(raw)
    await mine()
    await eventually(() => (streams[1]?.notices().length === 2 ? true : undefined))
    await first?.say('ping')
    expect(first?.notices()).toHaveLength(1)
  })

  test('two subscriptions of one socket with a name in common: each hears its own, once', async () => {
    const { raw, send, mine } = await wallet()
    const stream = await openSocket(service(), '/jsonRPC')
    const wishes = [
      { types: ['account_state_change', 'transactions'], addresses: [raw, RECEIVER] },
      { types: ['account_state_change'], addresses: [RECEIVER, RECEIVER.toLowerCase()] },
      { types: ['account_state_change'], addresses: [RECEIVER], min_finality: 'confirmed' },
    ]
    for (const [i, wish] of wishes.entries()) stream.send(callOf(i, 'stream.subscribe', wish))
    await stream.frames.count(3)
    const heard = (name: string) =>
      stream.frames.all.flatMap(({ params }) => {
        const { subscription, result } = (params ?? {}) as { subscription?: string; result: Frame }
        return subscription === name ? [`${shortOf(result)} ${result.account ?? ''}`.trim()] : []
      })
    await send(RECEIVER)
    await mine()
    await eventually(() => (heard('0x1').length >= 3 && heard('0x3').length >= 2 ? true : undefined))
    const change = (level: string, account: string) => `account_state_change ${level} ${account}`
    const own = ['transactions finalized', change('finalized', raw), change('finalized', RECEIVER)]
    expect([heard('0x1'), heard('0x2'), heard('0x3')]).toEqual([
      own,
      [change('finalized', RECEIVER)],
      [change('confirmed', RECEIVER), change('finalized', RECEIVER)],
    ])
    stream.send(callOf(9, 'stream.unsubscribe', { subscription: '0x1' }))
    await stream.frames.first(({ id }) => id === 9)
    await send(RECEIVER)
    await mine()
    await eventually(() => (heard('0x3').length >= 4 ? true : undefined))
    expect([heard('0x1').length, heard('0x2').length]).toEqual([3, 2])
  })

  test('ten thousand changes in a row leave the last one in force, and nothing behind', async () => {
    const { raw, send, mine } = await wallet()
    const CHANGES = 10_000
    const stream = await openSocket(service())
    for (let i = 0; i < CHANGES; i += 2) {
      stream.send(`{"operation":"subscribe","types":["account_state_change"],"addresses":["${raw}","${RECEIVER}"]}`)
      stream.send(`{"operation":"unsubscribe","addresses":["${raw}"]}`)
    }
    const rpc = await openSocket(service(), '/jsonRPC')
    for (let i = 1; i <= CHANGES / 2; i++) {
      rpc.send(callOf(i, 'stream.subscribe', { types: ['account_state_change'], addresses: [raw] }))
      rpc.send(callOf(-i, 'stream.unsubscribe', { subscription: `0x${i.toString(16)}` }))
    }
    // Others are served meanwhile.
    expect((await (await wallet()).client.getMasterchainInfo()).last.seqno).toBeGreaterThan(0)
    await stream.frames.count(CHANGES)
    await rpc.frames.count(CHANGES)
    expect(stream.frames.all.every(({ status }, i) => status === (i % 2 === 0 ? 'subscribed' : 'unsubscribed'))).toBe(
      true,
    )
    const names = rpc.frames.all.flatMap(({ result }) => {
      const { subscription } = (result ?? {}) as Frame
      return subscription === undefined ? [] : [subscription]
    })
    for (const [i, subscription] of names.entries())
      rpc.send(callOf(100_000 + i, 'stream.unsubscribe', { subscription }))
    await rpc.frames.count(CHANGES + names.length)
    await send(RECEIVER)
    await mine()
    await stream.frames.first(({ type }) => type === 'account_state_change')
    await stream.say('ping')
    expect(stream.notices().map(({ account }) => account)).toEqual([RECEIVER])
    expect(rpc.frames.all.filter(({ method }) => method === 'stream.event')).toEqual([])
    for (const one of [stream, rpc]) one.socket.terminate()
    await sleep(1)
    await eventually(async () => (await gauge('tonrpc_stream_subscriptions')) === 0 || undefined, 'subscriptions stay')
  })
})
