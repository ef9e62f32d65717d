// Cursors that are refused: of other chains, of the future, of blocks that are gone, and texts that are no cursor.

import { describe, expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openEvents, openSocket, openWallet } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const wallet = () => openWallet(service())

const callOf = (id: number, method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method, params })

describe('cursors', () => {
  const UNKNOWN = 'cursor is not known: read v3 and subscribe without it'
  const types = ['blocks']
  const cursorOf = (text: string) => Buffer.from(text).toString('base64url')

  /** What is said to a cursor on each way: status or error. */
  async function answers(after: string) {
    const field = await openEvents(service(), { types, after })
    const header = await openEvents(service(), { types }, { 'Last-Event-ID': after }).catch(() => null)
    const socket = await openSocket(service())
    const rpc = await openSocket(service(), '/jsonRPC')
    rpc.send(callOf(1, 'stream.subscribe', { types, after }))
    const { error } = await rpc.frames.first(({ id }) => id === 1)
    const said = await socket.say('subscribe', { types, after })
    const body = async ({ reply }: { reply: Response }) => [reply.status, ((await reply.json()) as Frame).error]
    return {
      field: await body(field),
      header: header && (await body(header)),
      socket: said.error,
      rpc: String((error as Frame | undefined)?.message).replace('Invalid params: ', ''),
    }
  }

  test('from the future, of another chain, and malformed ones are refused on every way', async () => {
    const { mine } = await wallet()
    const stream = await openSocket(service())
    await stream.say('subscribe', { types })
    await mine()
    const { cursor } = await stream.frames.first((frame) => frame.cursor !== undefined)
    const [seqno = '', position = '', mark = ''] = Buffer.from(String(cursor), 'base64url').toString().split(':')
    const refused = [
      cursorOf(`${Number(seqno) + 1000}:${position}:${mark}`),
      cursorOf(`4294967295:0:${mark}`),
      cursorOf(`9999999999:0:${mark}`),
      cursorOf(`${seqno}:${position}:${mark === '00000000' ? '11111111' : '00000000'}`),
      cursorOf(`0:${position}:${mark}`),
      cursorOf(`-1:${position}:${mark}`),
      cursorOf(`${seqno}:-1:${mark}`),
      cursorOf(`${seqno}:${position}`),
      cursorOf(`${seqno}:${position}:${mark} `),
      cursorOf(`0${seqno}:${position}:${mark}`),
      `${cursor}=`,
      `${cursor}A`,
      String(cursor).slice(1),
      'x',
      '%00',
      "' or 1=1 --",
      '{}',
    ]
    for (const after of refused)
      expect([after, await answers(after)]).toEqual([
        after,
        { field: [400, UNKNOWN], header: [400, UNKNOWN], socket: UNKNOWN, rpc: UNKNOWN },
      ])
    // A place behind all that its block means.
    const behind = await openSocket(service())
    expect(
      await behind.say('subscribe', { types, after: cursorOf(`${seqno}:9007199254740991:${mark}`) }),
    ).toMatchObject({
      status: 'subscribed',
    })
    await mine()
    expect(await behind.frames.first(({ type }) => type === 'blocks')).toMatchObject({
      block: { seqno: Number(seqno) + 1 },
    })
    await eventually(() => (stream.notices().length >= 4 ? true : undefined))
    expect(behind.notices()).toEqual(stream.notices().slice(2))
  })

  test('from before what the index keeps', async () => {
    await using own = await serve({ withIndex: true, config: { mining: 'manual', keep: '1h' } })
    const { mine, client } = await openWallet(own)
    const stream = await openSocket(own)
    await stream.say('subscribe', { types })
    await mine()
    const { cursor } = await stream.frames.first((frame) => frame.cursor !== undefined)
    const back = async () => {
      const { reply, cut } = await openEvents(own, { types, after: cursor })
      const said = reply.status === 200 ? null : await reply.json()
      cut()
      return [reply.status, said]
    }
    await mine(3)
    expect(await back()).toEqual([200, null])
    await client.dev.increaseTime({ seconds: 2 * 3600 })
    await mine(3)
    await eventually(async () => ((await back())[0] === 200 ? undefined : true))
    expect(await back()).toEqual([400, { error: UNKNOWN }])
    // One that listens all the time goes on.
    const before = stream.notices().length
    await mine()
    await eventually(() => (stream.notices().length > before ? true : undefined))
  })

  test('from more than a day before the newest block', async () => {
    await using own = await serve({ withIndex: true, config: { mining: 'manual' } })
    const { mine, client } = await openWallet(own)
    const stream = await openSocket(own)
    await stream.say('subscribe', { types })
    await mine()
    const { cursor } = await stream.frames.first((frame) => frame.cursor !== undefined)
    const later = async (hours: number) => {
      await client.dev.increaseTime({ seconds: hours * 3600 })
      const before = stream.notices().length
      await mine()
      await eventually(() => (stream.notices().length > before ? true : undefined))
      const back = await openSocket(own)
      return await back.say('subscribe', { types, after: cursor })
    }
    expect(await later(23)).toMatchObject({ status: 'subscribed' })
    expect(await later(2)).toMatchObject({ error: UNKNOWN })
  })

  test('of a megabyte', async () => {
    const long = 'A'.repeat(1_000_000)
    const told = expect.stringMatching(/after/)
    expect(await answers(long)).toEqual({
      field: [400, told],
      // More than a request may have before its body.
      header: expect.toSatisfy((one: unknown) => one === null || (Array.isArray(one) && one[0] === 431)),
      socket: told,
      rpc: told,
    })
    const stream = await openSocket(service())
    stream.send(JSON.stringify({ operation: 'subscribe', types, after: 'A'.repeat(1 << 20) }))
    await stream.frames.end()
    expect(stream.closed.code).toBe(1009)
    const { reply } = await openEvents(service(), { types, after: 'A'.repeat(1 << 20) })
    expect(reply.status).toBe(413)
  })
})
