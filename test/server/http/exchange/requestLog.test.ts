// The request log as an operator reads it: one line per request, who called what and how it ended.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { AppendedFile } from '../../../../server/observe/appendedFile.ts'
import { ask, post, STRICT } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

type Line = Readonly<Record<string, unknown>>

const file = join(tmpdir(), `tonrpc-requests-${randomUUID()}.log`)
const sampled = join(tmpdir(), `tonrpc-requests-${randomUUID()}.log`)
const service = forAllTests(() => serveMethods(madeUp(), { config: { limits: 'on', requestLog: file } }))
const seldom = forAllTests(() =>
  serveMethods(madeUp(), { config: { limits: 'off', requestLog: sampled, requestLogSample: 10 } }),
)

const linesOf = async (path: string): Promise<Line[]> => {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}

/** The line of a request, once it is written. */
async function lineOf(requestId: string, path = file): Promise<Line> {
  await expect.poll(async () => (await linesOf(path)).some((line) => line.requestId === requestId)).toBe(true)
  const found = (await linesOf(path)).filter((line) => line.requestId === requestId)
  expect(found).toHaveLength(1)
  return found[0] ?? {}
}

// Issued before the first call: later ones would be known some moments after.
let key = ''
let keyId = ''
beforeAll(async () => {
  const issued = await service().newKey({ plan: 'advanced' })
  key = issued.key
  keyId = issued.id
})

const id = () => `test-${randomUUID()}`

describe('a line', () => {
  test('of a call with a key', async () => {
    const requestId = id()
    const path = '/api/v2/subtract'
    const { text } = await ask(service(), `${path}?minuend=42&subtrahend=23&api_key=${key}`, {
      headers: { 'X-Request-Id': requestId },
    })
    const line = await lineOf(requestId)
    expect(line).toMatchObject({ keyId, address: null, verb: 'GET', path, method: 'subtract', calls: 1 })
    expect(line).toMatchObject({ error: null, status: 200, bytes: Buffer.byteLength(text) })
    expect(line.ms).toEqual(expect.any(Number))
    expect(Date.parse(String(line.time))).not.toBeNaN()
    expect(await readFile(file, 'utf8')).not.toContain(key)
  })

  test('of a HEAD request has no bytes of a body', async () => {
    const requestId = id()
    const { headers } = await ask(service(), '/openapi/v2.json', {
      method: 'HEAD',
      headers: { 'X-Request-Id': requestId },
    })
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
    expect(await lineOf(requestId)).toMatchObject({ verb: 'HEAD', status: 200, bytes: 0 })
  })

  test('has no key that a caller put into the path, or sent as the id of the request', async () => {
    const paths = [`/api/admin/keys/${key}/revoke`, `/${key}/api/v2/subtract`, `/api/v2/subtract&api_key=${key}`]
    for (const path of paths) {
      const requestId = id()
      await ask(service(), path, { headers: { 'X-Request-Id': requestId } })
      const hint = `tonrpc_devnet_...${key.slice(-4)}`
      expect(await lineOf(requestId)).toMatchObject({ path: path.replace(key, hint) })
    }
    const { headers } = await ask(service(), '/healthz', { headers: { 'X-Request-Id': key } })
    await lineOf(headers.get('x-request-id') ?? '')
    expect(await readFile(file, 'utf8')).not.toContain(key)
  })

  test('of a batch counts its methods', async () => {
    const requestId = id()
    const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
    const body = [
      call('subtract', { minuend: 2, subtrahend: 1 }),
      call('subtract', { minuend: 3, subtrahend: 1 }),
      call('sum', { a: 1, b: 'no number', c: 3 }),
    ]
    await post(service(), STRICT, body, { 'X-Request-Id': requestId, 'X-API-Key': key })
    expect(await lineOf(requestId)).toMatchObject({
      method: 'batch',
      calls: 3,
      methods: { subtract: 2, sum: 1 },
      error: 'invalidParams',
      status: 200,
      path: STRICT,
      verb: 'POST',
    })
  })

  test('of a caller without a key has the address', async () => {
    const requestId = id()
    await ask(service(), '/api/v2/nothing-there', { headers: { 'X-Request-Id': requestId } })
    const line = await lineOf(requestId)
    expect(line).toMatchObject({ keyId: null, address: expect.stringMatching(/127\.0\.0\.1|::1/) })
    expect([404, 429]).toContain(line.status)
  })

  test('of a page, and of a key that does not exist', async () => {
    const page = id()
    const stranger = id()
    await ask(service(), '/healthz', { headers: { 'X-Request-Id': page } })
    await ask(service(), '/api/v2/subtract', { headers: { 'X-Request-Id': stranger, 'X-API-Key': 'guess' } })
    expect(await lineOf(page)).toMatchObject({ path: '/healthz', method: null, calls: 0, status: 200 })
    expect(await lineOf(stranger)).toMatchObject({ keyId: null, status: 401 })
    expect(await readFile(file, 'utf8')).not.toContain('guess')
  })

  test('of a WebSocket is one per call', async () => {
    const ws = new WebSocket(`${service().url.replace('http', 'ws')}${STRICT}`, { headers: { 'X-API-Key': key } })
    await new Promise((resolve) => ws.once('open', resolve))
    ws.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subtract', params: { minuend: 9, subtrahend: 1 } }))
    await new Promise((resolve) => ws.once('message', resolve))
    ws.terminate()
    const ofSocket = async () => (await linesOf(file)).filter((line) => line.verb === 'WS')
    await expect
      .poll(ofSocket)
      .toEqual([expect.objectContaining({ keyId, method: 'subtract', calls: 1, status: 200, bytes: 1, error: null })])
  })
})

test.each(['SIGUSR2', 'SIGHUP'] as const)('a moved file is opened again on %s', async (signal) => {
  const before = id()
  await ask(service(), '/healthz', { headers: { 'X-Request-Id': before } })
  await lineOf(before)
  const moved = `${file}.${signal}`
  await rename(file, moved)
  process.emit(signal)
  const after = id()
  await ask(service(), '/healthz', { headers: { 'X-Request-Id': after } })
  await lineOf(after)
  expect(await linesOf(file)).toHaveLength(1)
})

test('of many requests a sample is written, and each that failed on our side', async () => {
  const failed = id()
  for (let i = 0; i < 19; i++) await ask(seldom(), '/healthz')
  await ask(seldom(), '/api/v2/boom', { headers: { 'X-Request-Id': failed } })
  expect(await lineOf(failed, sampled)).toMatchObject({ status: 500, error: 'internal', method: 'boom' })
  const lines = await linesOf(sampled)
  expect(lines.filter(({ path }) => path === '/healthz')).toHaveLength(2)
})

test.runIf(existsSync('/dev/full'))('a full disk loses lines, and no call', async () => {
  await using full = await serveMethods(madeUp(), { config: { limits: 'off', requestLog: '/dev/full' } })
  for (let i = 0; i < 5; i++) expect((await ask(full, '/healthz')).status).toBe(200)
})

test('lines that were lost are counted, and reported once', async () => {
  const path = join(tmpdir(), randomUUID())
  const failed = vi.fn()
  const resumed = vi.fn()
  const lines = new AppendedFile(path, { failed, resumed })
  await lines.open()
  // A folder in its place: every try fails until it is gone.
  await rename(path, `${path}.1`)
  await mkdir(path)
  lines.reopen()
  await expect.poll(() => failed.mock.calls.length, { timeout: 300_000 }).toBe(1)
  for (const text of ['a', 'b', 'c']) lines.write(`${text}\n`)
  await rmdir(path)
  let written = 0
  const again = async () => {
    lines.write(`${written++}\n`)
    return (await readFile(path, 'utf8').catch(() => '')).length
  }
  await expect.poll(again, { timeout: 300_000 }).toBeGreaterThan(0)
  // Nothing more was lost before the next lines.
  for (const text of ['d', 'e']) lines.write(`${text}\n`)
  await lines.close()
  expect(failed).toHaveBeenCalledTimes(1)
  expect(resumed).toHaveBeenCalledTimes(1)
  const lost = Number(resumed.mock.calls[0]?.[0])
  expect(lost).toBeGreaterThanOrEqual(3)
  expect((await readFile(path, 'utf8')).split('\n')[0]).toBe(String(lost - 3))
})

test('a line that a full disk cut off shares its line with no other', async () => {
  const path = join(tmpdir(), randomUUID())
  await writeFile(path, '{"time":"2026-11-2')
  const fail = (error: unknown) => expect.fail(String(error))
  const lines = new AppendedFile(path, { failed: fail, resumed: fail })
  for (const text of ['first', 'second']) {
    await lines.open()
    lines.write(`${text}\n`)
    await lines.close()
  }
  expect(await readFile(path, 'utf8')).toBe('{"time":"2026-11-2\nfirst\nsecond\n')
})

test('error: a file that cannot be opened', async () => {
  const requestLog = join(tmpdir(), randomUUID(), 'requests.log')
  await expect(serveMethods(madeUp(), { config: { requestLog } })).rejects.toThrow(
    /--request-log: the file \/.*requests\.log cannot be opened .*ENOENT.*; name one in a folder that exists/,
  )
})

test('the end waits for the lines of a file that was moved away', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-lines-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'requests.log')
  const fail = (error: unknown) => expect.fail(String(error))
  const lines = new AppendedFile(path, { failed: fail, resumed: fail })
  await lines.open()
  const long = `${'x'.repeat(1_000_000)}\n`
  for (let i = 0; i < 7; i++) lines.write(long)
  await rename(path, `${path}.1`)
  lines.reopen()
  await lines.close()
  expect((await stat(`${path}.1`)).size).toBe(7 * long.length)
})

test.skipIf(process.platform === 'win32')('the end does not wait for a disk that hangs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-lines-'))
  const path = join(folder, 'requests.log')
  // A pipe that is read by none takes some bytes, and the next ones when there is room.
  execFileSync('mkfifo', [path])
  const reader = await open(path, 'r+')
  onTestFinished(() => rm(folder, { recursive: true }))
  const fail = (error: unknown) => expect.fail(String(error))
  const lines = new AppendedFile(path, { failed: fail, resumed: fail })
  await lines.open()
  const long = 200_000
  lines.write(`${'x'.repeat(long - 1)}\n`)
  await lines.close()
  for (let left = long; left > 0; ) left -= (await reader.read({ length: Math.min(left, 4096) })).bytesRead
  await reader.close()
})
