// Where the list of lite servers comes from: files, addresses, the copy of before, and lists that are none.

import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ListedAt, listServers } from '../../../../server/app/network/liteServers.ts'
import { StartRefused } from '../../../../server/app/startRefused.ts'
import { isOwnNetwork } from '../../../../server/outbound/index.ts'

const key = Buffer.alloc(32, 1).toString('base64')
const listOf = (...ports: readonly number[]): string =>
  JSON.stringify({ liteservers: ports.map((port) => ({ ip: 2130706433, port, id: { key } })) })

let data: string
let web: Server
let answers: { status?: number; body?: string | Uint8Array; location?: string }
let requested: number
let busyFor: number
let url: string
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'tonrpc-lists-'))
  requested = 0
  busyFor = 0
  answers = { body: listOf(1, 2) }
  web = createServer((_, response) => {
    requested++
    const status = requested <= busyFor ? 503 : answers.status
    response.writeHead(status ?? 200, answers.location === undefined ? {} : { location: answers.location })
    response.end(answers.body)
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const address = web.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/global.config.json`
})
afterEach(async () => {
  web.closeAllConnections()
  await new Promise((resolve) => web.close(resolve))
  await rm(data, { recursive: true })
})

const lines: { readonly facts: unknown; readonly text: string }[] = []
const log = { warn: (facts: unknown, text?: string) => void lines.push({ facts, text: text ?? '' }) }
const list = (liteservers: string, network: ListedAt['network'] = 'testnet') =>
  listServers({ liteservers, network, data }, log, { isSteady: () => true, busyMs: 0 })
const portsOf = async (liteservers: string): Promise<readonly number[]> =>
  (await list(liteservers)).config.servers.map(({ port }) => port)

describe('a list that changes while the service runs', () => {
  test('behavior: of a file is read again', async () => {
    const path = join(data, 'list.json')
    await writeFile(path, listOf(1))
    const { refresh } = await list(path)
    expect(await refresh()).toBeNull()
    await writeFile(path, listOf(7))
    expect((await refresh())?.servers.map(({ port }) => port)).toEqual([7])
    expect(await refresh()).toBeNull()
  })

  test('error: of a file that cannot be used is named each time, until it can be', async () => {
    const path = join(data, 'list.json')
    await writeFile(path, listOf(1))
    const { refresh } = await list(path)
    await rm(path)
    for (let i = 0; i < 2; i++) await expect(refresh()).rejects.toThrow(`${path} cannot be read: there is no such file`)
    await writeFile(path, '<html>')
    for (let i = 0; i < 2; i++) await expect(refresh()).rejects.toThrow(`${path} is not JSON`)
    await writeFile(path, listOf(7))
    expect((await refresh())?.servers.map(({ port }) => port)).toEqual([7])
    expect(await refresh()).toBeNull()
  })

  test('behavior: of this machine is fetched again at once', async () => {
    const { refresh } = await listServers({ liteservers: url, network: 'custom', data }, log)
    answers = { body: listOf(9) }
    expect((await refresh())?.servers.map(({ port }) => port)).toEqual([9])
    expect(await refresh()).toBeNull()
    answers = { status: 500 }
    await expect(refresh()).rejects.toThrow(`${url} cannot be fetched: it answered with status 500`)
    answers = { body: '<html>' }
    await expect(refresh()).rejects.toThrow(`${url} is not JSON: it has to be a global.config.json`)
    answers = { body: listOf(9) }
    expect(await refresh()).toBeNull()
  })
})

describe('a list of this machine that cannot be had', () => {
  const refused = async (path: string): Promise<string> => {
    const start = listServers({ liteservers: path, network: 'custom', data }, log)
    return await start.then(
      () => '',
      (error: Error) => error.message,
    )
  }
  test('error: says why', async () => {
    expect(await refused(data)).toContain('cannot be read: it is a folder')
    answers = { status: 302, location: '/elsewhere' }
    expect(await refused(url)).toContain('it redirects: name the address it leads to')
    expect(await refused(url.replace('http:', 'https:'))).toContain('it is not encrypted: name it with http://')
    answers = { body: JSON.stringify({ liteservers: [{ ip: '127.0.0.1', port: 1, id: { key } }] }) }
    expect(await refused(url)).toContain('not a number: name an address in text as "hostname"')
  })

  test('args: IPv6 with and without brackets', async () => {
    for (const hostname of ['::1', '[::1]']) {
      answers = { body: JSON.stringify({ liteservers: [{ hostname, port: 5, id: { key } }] }) }
      const { config } = await listServers({ liteservers: url, network: 'custom', data }, log)
      expect(config.servers[0]).toMatchObject({ host: '::1', name: '[::1]:5' })
    }
  })
})

describe('an address', () => {
  test('behavior: is fetched once a day, and its copy kept', async () => {
    expect(await portsOf(url)).toEqual([1, 2])
    answers = { body: listOf(3) }
    expect(await portsOf(url)).toEqual([1, 2])
    expect(requested).toBe(1)
    const copy = join(data, 'network', 'config.json')
    expect(JSON.parse(await readFile(copy, 'utf8'))).toHaveProperty('liteservers')
    const longAgo = Date.now() / 1000 - 90_000
    await utimes(copy, longAgo, longAgo)
    expect(await portsOf(url)).toEqual([3])
  })

  test('behavior: of this machine is fetched at each start', async () => {
    await portsOf(url)
    answers = { body: listOf(6) }
    const { config } = await listServers({ liteservers: url, network: 'testnet', data }, log)
    expect(config.servers.map(({ port }) => port)).toEqual([6])
  })

  test('behavior: is done without where it is away, with the copy of before', async () => {
    await portsOf(url)
    const longAgo = Date.now() / 1000 - 90_000
    await utimes(join(data, 'network', 'config.json'), longAgo, longAgo)
    answers = { status: 503 }
    expect(await portsOf(url)).toEqual([1, 2])
    expect(lines.at(-1)?.text).toMatch(/the copy from before is used/)
  })

  test('behavior: whose host is busy at a start is fetched again, and the log says so', async () => {
    busyFor = 2
    lines.length = 0
    expect(await portsOf(url)).toEqual([1, 2])
    expect(requested).toBe(3)
    expect(lines.map(({ text }) => text)).toEqual([
      'lite servers: the list cannot be fetched yet, attempt 2 of 6 follows',
      'lite servers: the list cannot be fetched yet, attempt 3 of 6 follows',
    ])
  })

  test('error: whose host stays busy refuses the start after some attempts', async () => {
    answers = { status: 503 }
    await expect(list(url)).rejects.toThrow('it answered with status 503')
    expect(requested).toBe(6)
  })

  test('behavior: another one does not get the copy of the first', async () => {
    await portsOf(url)
    answers = { body: listOf(5) }
    expect(await portsOf(`${url}?other`)).toEqual([5])
  })

  test('behavior: is fetched where its copy was damaged', async () => {
    await portsOf(url)
    await writeFile(join(data, 'network', 'config.json'), '{"liteservers":')
    answers = { body: listOf(8) }
    expect(await portsOf(url)).toEqual([8])
  })

  test('behavior: is fetched again only when an hour is over', async () => {
    const listed = await list(url)
    answers = { body: listOf(4) }
    expect(await listed.refresh()).toBeNull()
    expect(requested).toBe(1)
    const copy = join(data, 'network', 'config.json')
    const twoHoursAgo = Date.now() / 1000 - 7_200
    await utimes(copy, twoHoursAgo, twoHoursAgo)
    const next = await list(url)
    expect(next.config.servers).toHaveLength(2)
    expect((await next.refresh())?.servers.map(({ port }) => port)).toEqual([4])
    expect(await next.refresh()).toBeNull()
    expect(requested).toBe(2)
  })

  test('behavior: is used also where no copy can be kept of it', async () => {
    await mkdir(join(data, 'network', 'config.json'), { recursive: true })
    expect(await portsOf(url)).toEqual([1, 2])
    expect(lines.at(-1)?.text).toBe('lite servers: no copy of the list can be kept')
  })

  test('behavior: a copy that cannot be read is no failure of the address', async () => {
    await mkdir(join(data, 'network', 'config.json'), { recursive: true })
    await writeFile(join(data, 'network', 'config.url'), url)
    expect(await portsOf(url)).toEqual([1, 2])
  })

  test('error: an error of this program is not told as one of the address, and a copy is used meanwhile', async () => {
    const fault = new TypeError('ours')
    const fetching = vi.spyOn(globalThis, 'fetch')
    // Left in place, it would keep every request of the files that come after this one in its process.
    onTestFinished(() => fetching.mockRestore())
    const broken = () => fetching.mockRejectedValueOnce(fault)
    broken()
    await expect(list(url)).rejects.toBe(fault)
    const near = await listServers({ liteservers: url, network: 'testnet', data }, log)
    broken()
    await expect(near.refresh()).rejects.toBe(fault)
    broken()
    const { config } = await listServers({ liteservers: url, network: 'testnet', data }, log)
    expect(config.servers.map(({ port }) => port)).toEqual([1, 2])
    expect(lines.at(-1)).toMatchObject({ facts: { err: fault }, text: expect.stringMatching(/error of this program/) })
  })

  test.each([
    ['none', { status: 404 }, 'status 404; a tonrpc serves this file when it is started with --lite-port'],
    ['elsewhere', { status: 302, location: 'http://127.0.0.1:1/' }, 'cannot be fetched'],
    ['a page', { body: '<html>' }, 'is not JSON'],
    ['too long', { body: Buffer.alloc((1 << 20) + 1, 32) }, 'longer than 1048576 bytes'],
  ])('error: %s', async (_what, answer, words) => {
    answers = answer
    const refused = list(url)
    await expect(refused).rejects.toBeInstanceOf(StartRefused)
    await expect(refused).rejects.toThrow(words)
    // Nothing of it is kept.
    answers = { body: listOf(1) }
    expect(await portsOf(url)).toEqual([1])
  })

  test('error: an address of the internet that cannot be reached says that a saved list works', async () => {
    const far = list('https://lists.invalid/global.config.json')
    await expect(far).rejects.toThrow('; saved on this machine it works as well: --liteservers ./global.config.json')
    answers = { status: 404 }
    await expect(list(url)).rejects.not.toThrow('saved on this machine')
    await expect(list('http://lists.invalid/')).rejects.not.toThrow('saved on this machine')
  })

  test('error: the process that owns the chain does not run', async () => {
    await new Promise((resolve) => web.close(resolve))
    await expect(list(url)).rejects.toThrow('nothing listens there; a tonrpc serves this file when it is started with')
  })

  test('behavior: of this machine, by its name', async () => {
    const named = { liteservers: url.replace('127.0.0.1', 'localhost'), network: 'custom', data } as const
    expect((await listServers(named, log)).config.servers).toHaveLength(2)
  })

  test.each([
    ['10.1.2.3', true],
    ['172.31.0.1', true],
    ['172.32.0.1', false],
    ['192.168.9.9', true],
    ['fd00::1', true],
    ['169.254.169.254', false],
    ['8.8.8.8', false],
    ['2606:4700::1', false],
    ['own', false],
  ])('behavior: %s in the own network: %s', (address, own) => {
    expect(isOwnNetwork(address)).toBe(own)
  })

  test('error: not encrypted, over a network', async () => {
    await expect(list('http://192.0.2.1/global.config.json')).rejects.toThrow(
      'http is for your own network: use https, or',
    )
  })
})

describe('a file, or the servers themselves', () => {
  test('behavior: both are the operator’s own word', async () => {
    const file = join(data, 'net.json')
    await writeFile(file, listOf(7))
    expect(await list(file)).toMatchObject({ isLocal: true, config: { servers: [{ port: 7 }] } })
    expect(await list(`127.0.0.1:8:${key}`)).toMatchObject({ isLocal: true, config: { servers: [{ port: 8 }] } })
  })

  test.each([
    ['nowhere.json', 'cannot be read: there is no such file'],
    ['127.0.0.1:0:x', 'cannot be read'],
  ])('error: %s', async (named, words) => {
    await expect(list(join(data, named))).rejects.toThrow(words)
  })

  test.each([
    ['testnet', 'https://ton.org/testnet-global.config.json'],
    ['mainnet', 'https://ton.org/global.config.json'],
    ['custom', '/global.config.json'],
  ] as const)('error: %s without any says what to do', async (network, words) => {
    await expect(list('', network)).rejects.toThrow(words)
  })
})
