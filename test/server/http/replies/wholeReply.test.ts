import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sendWhole } from '../../../../server/http/replies/wholeReply.ts'

const KEEP_ALIVE_MS = 65_000
const BODY = '{"ok":true,"word":"слово"}'
const HEADERS = [
  'X-Request-Id',
  'a-1',
  'Content-Type',
  'application/json',
  'Content-Length',
  `${Buffer.byteLength(BODY)}`,
]

/** The same in pieces, and one that is too long to be copied together. */
const PIECES = [Buffer.from(BODY.slice(0, 5)), Buffer.from(BODY.slice(5))]
const LONG = [Buffer.alloc(70_000, 'a'), Buffer.from('слово')]
const lengthOf = (pieces: readonly Buffer[]) => `${pieces.reduce((sum, { length }) => sum + length, 0)}`
const BODIES: Readonly<Record<string, string | Buffer | readonly Buffer[]>> = {
  text: BODY,
  bytes: Buffer.from(BODY),
  pieces: PIECES,
  long: LONG,
}

/** How `/whole` was sent last. */
let sent: boolean | null = null

function answer(req: IncomingMessage, res: ServerResponse): void {
  const status = req.url?.endsWith('missing') ? 404 : req.url?.endsWith('odd') ? 542 : 200
  const body = BODIES[req.url?.split('/').at(-1) ?? ''] ?? BODY
  const isLong = body === LONG
  const headers = isLong ? [...HEADERS.slice(0, -1), lengthOf(LONG)] : HEADERS
  const reply = { status, headers, body, encoding: 'utf8' } as const
  if (req.url?.startsWith('/whole')) {
    sent = sendWhole(res, reply, KEEP_ALIVE_MS)
    if (sent) return
  }
  res.writeHead(status, headers)
  if (req.url === '/two') res.write('')
  res.end(isLong ? Buffer.concat(LONG) : BODY, 'utf8')
}

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, answer)
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** What comes back for requests that are sent at once; the last of them ends its connection. */
async function exchange(...requests: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(requests.join(''))
  return (await text(socket)).replaceAll(/Date: .*\r\n/g, 'Date: now\r\n')
}

const LAST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

describe('a reply that is sent whole has the bytes of one that Node sends', () => {
  test.each(['/found', '/missing', '/odd', ...Object.keys(BODIES).map((kind) => `/found/${kind}`)])(
    '%s',
    async (path) => {
      const get = (start: string) => `GET ${start}${path} HTTP/1.1\r\nHost: a\r\n\r\n`
      const whole = await exchange(get('/whole'), LAST)
      expect(sent).toBe(true)
      expect(whole).toBe(await exchange(get('/plain'), LAST))
      expect(whole).toContain('слово')
    },
  )

  test('behind others on the same connection', async () => {
    const get = (start: string) => `GET ${start} HTTP/1.1\r\nHost: a\r\n\r\n`
    const whole = await exchange(get('/plain'), get('/whole'), get('/whole'), LAST)
    expect(whole).toBe(await exchange(get('/plain'), get('/plain'), get('/plain'), LAST))
  })
})

test.each([
  ['HEAD', 'HEAD /whole HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a connection that ends', 'GET /whole HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['HTTP/1.0', 'GET /whole HTTP/1.0\r\n\r\n'],
  ['HTTP/1.0 with a connection that stays', 'GET /whole HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
])('Node sends the reply to %s', async (_, request) => {
  const whole = await exchange(request, LAST)
  expect(sent).toBe(false)
  expect(whole).toBe(await exchange(request.replace('/whole', '/plain'), LAST))
})

test('behavior: no step of the process is spent on letting its bytes go, as for a reply of Node in two pieces', async () => {
  const steps = vi.spyOn(process, 'nextTick')
  onTestFinished(() => steps.mockRestore())
  const isSpent = async (path: string): Promise<boolean> => {
    steps.mockClear()
    await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, LAST)
    return steps.mock.calls.some(([step]) => step.name === 'connectionCorkNT')
  }
  expect([await isSpent('/two'), await isSpent('/whole')]).toEqual([true, false])
})

test('behavior: its date follows a clock that is set, in either direction', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const dates: unknown[] = []
  for (const time of ['10:00:00.900', '10:00:01.000', '09:00:00.000']) {
    vi.setSystemTime(`2026-11-01T${time}Z`)
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/whole/found`)
    dates.push(headers.get('date'))
  }
  expect(dates).toEqual(['10:00:00', '10:00:01', '09:00:00'].map((time) => `Sun, 01 Nov 2026 ${time} GMT`))
})
