// An offer of another protocol than WebSocket is ignored: HTTP/2 clients make it on every plain connection.

import { describe, expect, test } from 'vitest'
import { call, STRICT } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { openRaw, type RawReply, repliesIn, sayRaw } from '../../../setup/rawSocket.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp()))

const OFFER = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
const get = (difference: number, headers = '') =>
  `GET /api/v2/subtract?minuend=${difference}&subtrahend=0 HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

function post(id: number, headers = OFFER): string {
  const body = JSON.stringify(call('subtract', { minuend: id, subtrahend: 0 }, id))
  return `POST ${STRICT} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`
}

function chunked(id: number): string {
  const body = JSON.stringify(call('subtract', { minuend: id, subtrahend: 0 }, id))
  const head = `POST ${STRICT} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${OFFER}\r\n`
  return `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

const LAST = 'Connection: close\r\n'
const outcomes = (replies: readonly RawReply[]) =>
  replies.map(({ status, body }) => [status, (JSON.parse(body) as { result?: unknown }).result])

/** As a client does that sends ahead: where a reply says that the connection ends, what is behind it is sent once more. */
async function sendAhead(requests: readonly string[]): Promise<RawReply[]> {
  const replies: RawReply[] = []
  while (replies.length < requests.length) {
    const more = await sayRaw(service().port, requests.slice(replies.length).join(''))
    if (more.length === 0) throw new Error(`no reply to request ${replies.length + 1}`)
    replies.push(...more)
  }
  return replies
}

describe('a request that offers HTTP/2 is answered as HTTP/1.1', () => {
  test.each(['h2c', 'h2c, websocket', 'TLS/1.0', 'nonsense'])('Upgrade: %s', async (offer) => {
    const text = get(1, `Connection: Upgrade\r\nUpgrade: ${offer}\r\n`) + get(2, LAST)
    expect(outcomes(await sayRaw(service().port, text))).toEqual([
      [200, 1],
      [200, 2],
    ])
  })

  test('with a body, of a length or in chunks', async () => {
    expect(outcomes(await sendAhead([post(1), chunked(2), get(3, LAST)]))).toEqual([
      [200, 1],
      [200, 2],
      [200, 3],
    ])
  })

  test('with a body that comes piece by piece', async () => {
    using raw = await openRaw(service().port)
    const text = post(1)
    for (const piece of [text.slice(0, -40), text.slice(-40, -20), text.slice(-20)]) {
      raw.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await raw.until(/"result":1/)
    expect(outcomes(repliesIn(raw.text))).toEqual([[200, 1]])
  })

  test('one after another on a connection that is kept', async () => {
    using raw = await openRaw(service().port)
    for (let i = 1; i <= 20; i++) {
      raw.write(i % 2 ? post(i, '') : get(i, OFFER))
      await raw.until(new RegExp(`"result":${i}[,}]`))
    }
    raw.write(get(21, LAST))
    expect(outcomes(repliesIn(await raw.end())).map(([, result]) => result)).toEqual(
      Array.from({ length: 21 }, (_, i) => i + 1),
    )
  })

  test('a thousand at once are answered in order, behind a slow one too', async () => {
    const slow = `GET /api/v2/repeat?times=300000 HTTP/1.1\r\nHost: x\r\n\r\n`
    const many = Array.from({ length: 1000 }, (_, i) => (i % 3 ? get(i, OFFER) : post(i, i % 300 ? '' : OFFER)))
    const [first, ...others] = await sendAhead([slow, ...many, get(1000, LAST)])
    expect(first?.status).toBe(200)
    expect(outcomes(others).map(([, result]) => result)).toEqual(Array.from({ length: 1001 }, (_, i) => i))
  })

  test('what was refused stays refused: a length twice, too much of a body', async () => {
    const twice = `POST ${STRICT} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n${OFFER}\r\nab`
    expect((await sayRaw(service().port, twice)).map(({ status }) => status)).toEqual([400])
    const large = `POST ${STRICT} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n${OFFER}\r\n{`
    expect((await sayRaw(service().port, large)).map(({ status }) => status)).toEqual([413])
  })

  test('a length among more headers than are looked at is no way to hide a second request', async () => {
    const hidden = get(7)
    const head = `GET /api/v3/word?word=yes HTTP/1.1\r\nHost: x\r\n${OFFER}${'a:b\r\n'.repeat(2100)}`
    const replies = await sayRaw(service().port, `${head}Content-Length: ${hidden.length}\r\n\r\n${hidden}`)
    expect(replies.map(({ status }) => status)).toEqual([431])
  })

  test('a caller who leaves in the middle does no harm', async () => {
    for (let i = 0; i < 20; i++) {
      using raw = await openRaw(service().port)
      raw.write(post(i) + post(i).slice(0, -10))
      await new Promise((resolve) => setImmediate(resolve))
      raw.socket.resetAndDestroy()
    }
    expect(outcomes(await sayRaw(service().port, get(1, LAST)))).toEqual([[200, 1]])
  })
})
