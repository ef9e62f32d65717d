// Pictures whose hosts are silent, slow or hostile: those of other hosts and for other callers are not kept waiting for them.

import { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPictureDoor } from '../../../../server/http/pages/pictureDoor.ts'
import { createPictures } from '../../../../server/metadata/index.ts'
import { ApiError } from '../../../../shared/errors.ts'
import { CERTIFICATE, listen } from '../../metadata/tlsHost.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex')
/** Longer than a test: silent hosts keep their places, so that what arrives came beside them, and a busy machine refuses nobody. */
const FOREVER_MS = 3_600_000

const good: Answer = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)

/** Takes connections and never says a word. Returns its port and how many it has. */
async function silentHost() {
  const sockets = new Set<Socket>()
  let taken = 0
  const server = createServer((socket) => {
    taken++
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: String((server.address() as AddressInfo).port), held: () => sockets.size, taken: () => taken }
}

/** The door over hosts on this machine: every name leads here. A token is known by the link in its path. */
function scene(ports: readonly string[], timeoutMs = FOREVER_MS) {
  const pictureAt = createPictures({
    ipfsGateway: `https://token.test:${ports[0]}`,
    rules: {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isAllowed: () => true,
      ports,
      ca: CERTIFICATE,
      timeoutMs,
    },
  })
  const links: string[] = []
  const door = createPictureDoor({
    dispatch: {
      async run(_, { address: [account = ''] }: { readonly address: readonly string[] }) {
        return {
          json: JSON.stringify({ [account]: { token_info: [{ image: links[Number(account)] }] } }),
          isCached: false,
        }
      },
    },
    callerOf: ({ headers }) => ({ subject: String(headers.host), keyId: null, tier: null }),
    pictureAt,
    waitMs: FOREVER_MS,
  })
  /** What a caller gets for a token with this link: the bytes, or the kind of its refusal. */
  return (caller: string, link: string, gone?: AbortSignal): Promise<Buffer | string> => {
    const req = new IncomingMessage(new Socket())
    const res = new ServerResponse(req)
    gone?.addEventListener('abort', () => res.emit('close'))
    req.headers.host = caller
    const path = `/explorer/image/${links.push(link) - 1}`
    return door({ req, res, path, requestId: '1' }).then(
      ({ body }) => body as Buffer,
      (error: unknown) => (error instanceof ApiError ? error.kind : String(error)),
    )
  }
}

const many = (count: number, linkOf: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => linkOf(i))
const all = (count: number): Buffer[] => Array.from({ length: count }, () => PNG)

test('a hundred tokens of a silent host keep no others of their caller waiting', async () => {
  const silent = await silentHost()
  const port = await listen(good)
  const picture = scene([port, silent.port])
  for (const link of many(100, (i) => `https://silent.test:${silent.port}/${i}`)) void picture('one', link)
  const found = many(20, (i) => `https://token.test:${port}/${i}`).map((link) => picture('one', link))
  expect(await Promise.all(found)).toEqual(all(20))
  expect(silent.held()).toBe(2)
})

test('callers whose tokens lie on silent hosts keep no other caller waiting', async () => {
  const silent = await silentHost()
  const port = await listen(good)
  const picture = scene([port, silent.port])
  for (const caller of ['one', 'two', 'three'])
    for (const link of many(20, (i) => `https://${caller}.test:${silent.port}/${i}`)) void picture(caller, link)
  await expect.poll(silent.held).toBeGreaterThan(5)
  const found = many(20, (i) => `https://token.test:${port}/${i}`).map((link) => picture('four', link))
  expect(await Promise.all(found)).toEqual(all(20))
})

test('a thousand names of one server keep no others of their caller waiting', async () => {
  const silent = await silentHost()
  const port = await listen(good)
  const picture = scene([port, silent.port])
  const refused: unknown[] = []
  for (const link of many(1_000, (i) => `https://n${i}.silent.example:${silent.port}/`))
    void picture('one', link).then((why) => refused.push(why))
  const found = many(20, (i) => `https://127.0.0.1:${port}/${i}`).map((link) => picture('one', link))
  expect(await Promise.all(found)).toEqual(all(20))
  expect(silent.held()).toBe(3)
  // Those that do not fit are refused at once, as what they are.
  expect(refused.length).toBeGreaterThan(500)
  expect(new Set(refused)).toEqual(new Set(['busy']))
})

test('what is there already waits for no host', async () => {
  const silent = await silentHost()
  const port = await listen(good)
  const picture = scene([port, silent.port])
  const kept = `https://token.test:${port}/kept`
  expect(await picture('one', kept)).toEqual(PNG)
  for (const site of ['a', 'b', 'c', 'd'])
    for (const link of many(50, (i) => `https://${site}.${site}:${silent.port}/${i}`)) void picture('one', link)
  expect(await picture('one', kept)).toEqual(PNG)
  expect(await picture('one', `data:image/png;base64,${PNG.toString('base64')}`)).toEqual(PNG)
})

test('a host that was late three times is left alone, and who waited for it is told at once', async () => {
  const silent = await silentHost()
  // Long enough: in a busy process a timer may end early, and a host that had less than half of its time is not counted as late.
  const picture = scene([silent.port], 500)
  const links = many(100, (i) => `https://silent.test:${silent.port}/${i}`)
  const refused = await Promise.all(links.map((link) => picture('one', link)))
  expect(new Set(refused)).toEqual(new Set(['notFound']))
  expect(silent.taken()).toBeLessThanOrEqual(4)
})

test('a caller who has left waits no longer, so that others of the same host are fetched', async () => {
  const held: ServerResponse[] = []
  const port = await listen((_, response) => void held.push(response))
  const picture = scene([port])
  const at = (i: number) => `https://token.test:${port}/${i}`
  const first = [picture('one', at(0)), picture('one', at(1))]
  await expect.poll(() => held.length).toBe(2)
  const gone = new AbortController()
  const left = many(90, (i) => at(2 + i)).map((link) => picture('one', link, gone.signal))
  const last = picture('one', at(100))
  gone.abort()
  expect(new Set(await Promise.all(left))).toEqual(new Set(['busy']))
  for (const response of held.splice(0)) good(response.req, response)
  await expect.poll(() => held.map(({ req }) => req.url)).toEqual(['/100'])
  for (const response of held) good(response.req, response)
  expect(await Promise.all([...first, last])).toEqual(all(3))
})

const drips: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).write(PNG)
  const more = setInterval(() => response.write(' '), 10)
  response.once('close', () => clearInterval(more))
}
const floods: Answer = (_, response) => {
  const part = Buffer.alloc(1 << 20)
  let left = 100
  const more = (): void => {
    while (left-- > 0) if (!response.write(part)) return void response.once('drain', more)
  }
  response.writeHead(200, { 'content-type': 'image/png' })
  more()
}

/** Time passes for the service only while hosts, which are as fast as the machine is, keep it waiting. */
async function whileTimePasses<T>(work: Promise<T>): Promise<T> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  work.then(end, end)
  for (; !isOver; vi.advanceTimersByTime(100)) await sleep(20)
  return await work
}

test('whatever hosts do, each caller is answered and all places are free again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const port = await listen((request, response) => {
    const [, kind = ''] = request.url?.split('/') ?? []
    const answers: Readonly<Record<string, Answer>> = {
      drips,
      floods,
      good,
      breaks: () => response.destroy(),
      circle: () => response.writeHead(302, { location: request.url }).end(),
    }
    answers[kind]?.(request, response)
  })
  const silent = await silentHost()
  const picture = scene([port, silent.port], 1_000)
  const hosts = ['token.test/circle', 'token.test/floods', 'token.test/breaks', 'other.test/drips']
  const links = hosts.flatMap((at) => many(4, (i) => `https://${at.replace('/', `:${port}/`)}/${i}`))
  links.push(...many(4, (i) => `https://silent.test:${silent.port}/${i}`))
  const callers = ['one', 'two', 'three', 'four', 'five']
  const asked = callers.flatMap((caller) => links.map((link) => picture(caller, link)))
  const answers = await whileTimePasses(Promise.all(asked))
  expect(answers.filter((answer) => answer !== 'notFound' && answer !== 'busy')).toEqual([])
  // More than there are places.
  const found = callers.flatMap((caller, of) =>
    many(10, (i) => `https://127.0.0.1:${port}/good/${of}/${i}`).map((link) => picture(caller, link)),
  )
  expect(await Promise.all(found)).toEqual(all(50))
})

test('a host that leads to itself again and again is late when its time is over', async () => {
  let redirects = 0
  const port = await listen(({ url }, response) => {
    redirects++
    setTimeout(() => response.writeHead(302, { location: url }).end(), 150)
  })
  const picture = scene([port], 400)
  const links = many(20, (i) => `https://token.test:${port}/${i}`)
  await Promise.all(links.map((link) => picture('one', link)))
  expect(redirects).toBeLessThanOrEqual(12)
})
