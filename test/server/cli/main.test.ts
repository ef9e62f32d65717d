// The command line as it is used: the built file in processes of its own, real ports, real signals.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { start as service } from '../../../server/cli/commands.ts'
import { mainFile, type RunningService, type RunOptions, root, run, startBuilt } from '../../setup/runningService.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonrpc-main-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const data = () => join(folder, 'data')
const start = (...args: string[]): Promise<RunningService> => startBuilt(['--data', data(), ...args], { cwd: folder })

/** Runs the built file to its end. */
async function finish(args: readonly string[], options: RunOptions = { cwd: folder }) {
  await using command = run(process.execPath, [mainFile, ...args], options)
  const { code } = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

const HASH = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='
const CALL = { jsonrpc: '2.0', id: 1, method: 'detectHash', params: { hash: HASH } }

const call = (url: string, key?: string): Promise<Response> =>
  fetch(`${url}/jsonRPC`, {
    method: 'POST',
    body: JSON.stringify(CALL),
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
  })

/** A call whose body has only begun to arrive, so that it is in flight for as long as a test wants. */
async function beginCall(url: string) {
  const body = JSON.stringify(CALL)
  const sent = request(`${url}/jsonRPC`, { method: 'POST', headers: { 'content-length': body.length } })
  sent.on('error', () => {})
  await new Promise<void>((resolve) => sent.write(body.slice(0, 10), () => resolve()))
  // An answer to a later request means that the earlier one was seen.
  await call(url)
  return {
    async finish() {
      const answered = once(sent, 'response')
      sent.end(body.slice(10))
      const [reply] = await answered
      const chunks: Buffer[] = []
      for await (const chunk of reply) chunks.push(chunk)
      return { status: reply.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
    },
  }
}

const lines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describe('start', () => {
  test('default: the banner lists addresses, and the service answers at each', async () => {
    await using service = await start()
    const addresses = service.stdout().match(/(?:http|ws):\/\/\S+/g) ?? []
    expect(addresses.length).toBeGreaterThanOrEqual(11)
    expect(service.stdout()).toContain('serves devnet')
    expect(service.stdout()).toContain(`data folder   ${data()}`)
    expect(service.stdout()).toContain(`index         ${join(data(), 'index')}`)
    // It listens before its database is open.
    await vi.waitFor(async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200), { timeout: 300_000 })
    for (const address of addresses.filter((text) => text.startsWith('http'))) {
      const isRpc = address.endsWith('/jsonRPC')
      const isHealth = /\/(health|ready)z$/.test(address)
      const check = async () => {
        const reply = await fetch(address, isRpc ? { method: 'POST', body: JSON.stringify(CALL) } : {})
        await reply.text()
        expect([address, reply.status]).toEqual([address, 200])
      }
      // On a busy machine the event loop may have been late, and health reports that for ten seconds.
      await (isHealth ? vi.waitFor(check, { timeout: 300_000, interval: 500 }) : check())
    }
    const socket = new WebSocket(addresses.find((text) => text.startsWith('ws')) ?? '')
    await once(socket, 'open')
    socket.send(JSON.stringify(CALL))
    const [frame] = await once(socket, 'message')
    expect(JSON.parse(String(frame))).toMatchObject({ id: 1, ok: true })
    socket.terminate()
  })

  test('a new chain plays its demo behind the banner, and says when it is over', async () => {
    await using service = await start('--seed', 'demo')
    expect(service.stdout()).toMatch(/^ {2}demo {10}is being created/m)
    expect((await call(service.url)).status).toBe(200)
    await service.says(/^ {2}demo played: \d+ steps in \d+\.\d s$/m)
    // Where the demo takes long, the service says how many texts of transactions it has stored.
    const isProgress = (line: string) =>
      /"level":"info".*"(storing texts of transactions|texts of transactions are stored)"/.test(line)
    expect(
      service
        .stderr()
        .split('\n')
        .filter((line) => line !== '' && !isProgress(line)),
    ).toEqual([])
  })

  test('the port is free to choose, and 0 is a free one; a call that never ends does not hold up a stop, nor does a second signal wait', async () => {
    await using first = await start()
    // A chain belongs to one service at a time.
    const other = ['--data', join(folder, 'another')]
    await using second = await start(...other, '--drain-ms', '200', '--log-level', 'silent')
    expect(first.url).not.toBe(second.url)
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d{2,5}$/)

    await beginCall(second.url)
    second.child.kill('SIGTERM')
    expect(await second.ended).toEqual({ code: 0, signal: null })
    expect(second.stderr()).toBe('')

    await beginCall(first.url)
    first.child.kill('SIGTERM')
    await first.says(/stopping/)
    // One that comes with the first is a part of the same Ctrl+C.
    await pause(300)
    first.child.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 1, signal: null })
  })

  test('args: --host 0.0.0.0 shows an address that can be opened and says it listens on all', async () => {
    await using service = await start('--host', '0.0.0.0')
    const port = new URL(service.url).port
    expect(service.url).toBe(`http://localhost:${port}`)
    expect(service.stdout()).toContain(`port ${port} of every address of this machine`)
    expect(service.stdout()).not.toContain('0.0.0.0')
    expect((await call(service.url)).status).toBe(200)
  })

  test.for(['::1', '[::1]'])('args: --host %s', async (host, context) => {
    const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
    if (!hasIpv6) {
      const ended = await finish(['--host', host, '--port', '0'])
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('::1 is no address of this machine')])
      await context.annotate('this machine has no IPv6')
      return
    }
    await using service = await start('--host', host)
    expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect(service.stdout()).toContain(`ws://[::1]:${new URL(service.url).port}/jsonRPC`)
    expect((await call(service.url)).status).toBe(200)
  })

  test('settings come from the environment and from the config file', async () => {
    writeFileSync(join(folder, 'tonrpc.config.json'), JSON.stringify({ data: 'from-file', network: 'testnet' }))
    const liteservers = `127.0.0.1:1:${Buffer.alloc(32, 1).toString('base64')}`
    const env = { TONRPC_NETWORK: 'mainnet', TONRPC_LITESERVERS: liteservers }
    await using service = await startBuilt([], { cwd: folder, env })
    expect(service.stdout()).toContain('is NOT READY to serve mainnet: no lite server answers; 127.0.0.1:1: ')
    expect(service.stdout()).toContain(join(folder, 'from-file'))
    expect(service.stdout()).toContain('keys create --plan free --data from-file --network mainnet')
  })
})

describe('error', () => {
  test('the port is taken: one line, exit code 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const ended = await finish(['--port', String(port)])
    taken.close()
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `tonrpc: port ${port} is taken: choose another with --port, or --port 0 for a free one\n`,
    })
  })

  test('a host that is not ours: one line, exit code 1', async () => {
    const ended = await finish(['--port', '0', '--host', '192.0.2.1'])
    expect([ended.code, ended.stderr]).toEqual([
      1,
      'tonrpc: 192.0.2.1 is no address of this machine: choose another with --host\n',
    ])
  })

  test.each([
    [['--bogus'], 'tonrpc: unknown flag --bogus: --help lists them all\n'],
    [['--port', 'abc'], 'tonrpc: --port (TONRPC_PORT) takes a whole number from 0 to 65535, not "abc"\n'],
    [['--trust-proxy', 'x'], expect.stringContaining('addresses or ranges like 10.0.0.0/8, not "x"\n')],
    [['start'], expect.stringContaining('unexpected "start"')],
  ])('args: %j is wrong use, exit code 2', async (args, stderr) => {
    expect(await finish(args)).toEqual({ code: 2, stdout: '', stderr })
  })

  test.each([
    ['help', '--help'],
    ['version', '-v'],
    ['help keys', 'keys --help'],
    ['--help keys', 'keys --help'],
    ['help version', '--help'],
  ])('%s prints what %s prints', async (words, flags) => {
    expect(await finish(words.split(' '))).toEqual(await finish(flags.split(' ')))
  })

  test('a wrong setting in the environment, also for keys: exit code 2', async () => {
    for (const args of [[], ['keys', 'list']]) {
      const ended = await finish(args, { cwd: folder, env: { TONRPC_PROT: '1' } })
      expect(ended).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'tonrpc: unknown setting TONRPC_PROT in the environment, did you mean TONRPC_PORT?: --help lists them all\n',
      })
    }
  })

  test('a data folder that is a file, or below one: one line, exit code 1', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'below')]) {
      const ended = await finish(['--port', '0', '--data', path])
      expect(ended).toEqual({
        code: 1,
        stdout: '',
        stderr: `tonrpc: ${file} is a file: name a folder for the data with --data\n`,
      })
    }
    const keys = await finish(['keys', 'create', '--plan', 'free', '--data', file])
    expect(keys.code).toBe(1)
    expect(keys.stderr).toContain(file)
    expect(keys.stderr).not.toContain('    at ')
  })
})

describe('--help and --version', () => {
  test('print to standard output and end with 0', async () => {
    expect(await finish(['--help'])).toEqual({ code: 0, stdout: `${service.help()}\n`, stderr: '' })
    const version = await finish(['--version'])
    expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
    const keys = await finish(['keys', '--help'])
    expect([keys.code, keys.stdout]).toEqual([0, expect.stringContaining('usage: tonrpc keys create')])
  })
})

describe('stop', () => {
  test('SIGTERM without callers: exit code 0, and JSON lines on standard error as no one watches; args: --public-url is shown', async () => {
    await using service = await start('--public-url', 'https://ton.example.com')
    expect(service.stdout()).toContain('public address  https://ton.example.com')
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(lines(service.stderr())).toEqual([
      { level: 'info', time: expect.any(String), signal: 'SIGTERM', msg: 'stopping: running calls may finish' },
    ])
  })

  test('SIGINT without callers: exit code 0; args: --log-format pretty is text, without colors where there is no terminal', async () => {
    await using service = await start('--log-format', 'pretty')
    service.child.kill('SIGINT')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(service.stderr()).toMatch(/^\d\d:\d\d:\d\d info {2}stopping: running calls may finish signal=SIGINT\n$/)
  })

  test('SIGTERM lets a call in flight finish, takes no more, and closes an open WebSocket with 1001', async () => {
    await using service = await start('--drain-ms', '300000')
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`)
    await once(socket, 'open')
    const closed = once(socket, 'close')
    const begun = await beginCall(service.url)
    // Without a terminal the first two begin new log files, and end nothing.
    for (const signal of ['SIGHUP', 'SIGUSR2', 'SIGTERM'] as const) service.child.kill(signal)
    await service.says(/stopping/)
    // A connection that was kept from before may have one more answer, which ends it.
    const another = () =>
      call(service.url).then(
        ({ headers }) => headers.get('connection'),
        () => 'refused',
      )
    expect(['close', 'refused']).toContain(await another())
    await expect.poll(another).toBe('refused')
    const reply = await begun.finish()
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ id: 1, ok: true, result: { b64: HASH } })
    expect((await closed)[0]).toBe(1001)
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })
})

describe('log', () => {
  test('no key stands in any line, whatever is done with it', async () => {
    const key = (await keys('create', '--plan', 'free')).key
    const unknown = `tonrpc_devnet_${'A'.repeat(43)}`
    const foreign = `tonrpc_mainnet_${'B'.repeat(43)}`
    const secrets = [key, unknown, foreign].flatMap((text) => [text, text.slice(-43)])
    await using service = await start('--log-level', 'debug')
    for (const given of [key, unknown, foreign]) {
      await call(service.url, given)
      for (const path of ['api/v2/detectHash', 'api/v2/nothing', 'api/v3/nothing', 'metrics', 'nothing']) {
        await fetch(`${service.url}/${path}?hash=x&api_key=${given}`)
        await fetch(`${service.url}/${path}`, { headers: { authorization: `Bearer ${given}`, 'x-api-key': given } })
      }
      const wrong = [{ api_key: given }, { hash: given }, [given]].map((params, id) => ({ ...CALL, id, params }))
      await fetch(`${service.url}/jsonRPC`, {
        method: 'POST',
        body: JSON.stringify([...wrong, { ...CALL, method: given }]),
      })
      const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC?api_key=${given}`)
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('open', resolve).once('close', resolve))
      socket.terminate()
    }
    service.child.kill('SIGTERM')
    await service.ended
    const written = service.stdout() + service.stderr()
    // The test would see nothing if nothing were written.
    expect(lines(service.stderr()).filter(({ msg }) => msg === 'call refused').length).toBeGreaterThan(5)
    for (const secret of secrets) expect(written).not.toContain(secret)
  })
})

interface Issued {
  readonly key: string
  readonly id: string
}

/** The keys command through the same file, answering in JSON. */
async function keys(...args: string[]): Promise<Issued> {
  const ended = await finish(['keys', ...args, '--data', data(), '--json'])
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  return JSON.parse(ended.stdout)
}

/** Two seconds are promised to a machine that has nothing else to do. */
const LAG = { interval: 100 }

describe('keys', () => {
  test('a running service follows: made, rotated, revoked; a damaged key file is a log line, and the keys stay', async () => {
    await using service = await start()
    const statusOf = async (key: string) => {
      const reply = await call(service.url, key)
      await reply.text()
      return reply.status
    }
    const first = await keys('create', '--plan', 'plus', '--label', 'shop')
    await expect.poll(() => statusOf(first.key), LAG).toBe(200)

    const second = await keys('rotate', first.id, '--overlap', '1h')
    expect(second).toMatchObject({ id: first.id })
    expect(second.key).not.toBe(first.key)
    await expect.poll(() => statusOf(second.key), LAG).toBe(200)
    expect(await statusOf(first.key)).toBe(200)

    const third = await keys('rotate', first.id, '--overlap', '0')
    await expect.poll(() => statusOf(third.key), LAG).toBe(200)
    await expect.poll(() => statusOf(second.key), LAG).toBe(401)

    await keys('revoke', first.id)
    await expect.poll(() => statusOf(third.key), LAG).toBe(401)
    const reply = await call(service.url, third.key)
    expect(await reply.json()).toMatchObject({ error: { message: 'API key does not exist' } })
    expect((await call(service.url)).status).toBe(200)

    const { key } = await keys('create', '--plan', 'free')
    await expect.poll(() => statusOf(key), LAG).toBe(200)
    writeFileSync(join(data(), 'keys.json'), '{ damaged')
    await expect
      .poll(async () => {
        expect(await statusOf(key)).toBe(200)
        return service.stderr()
      }, LAG)
      .toContain('keys.json')
    const warning = lines(service.stderr()).find(({ level }) => level === 'warn')
    expect(warning).toMatchObject({ msg: 'key file cannot be read or written' })
    expect(service.stderr()).not.toContain(key)
  })

  test('a made key is charged by its plan', async () => {
    const { key } = await keys('create', '--plan', 'free')
    await using service = await start('--limits', 'on')
    const reply = await call(service.url, key)
    expect(reply.headers.get('ratelimit-policy')).toBe('"free";q=10;w=1')
  })

  test('npm run keys passes its words on', async () => {
    await using create = run('npm', npmKeys('create', '--plan', 'free', '--data', data(), '--json'), { cwd: root })
    expect(await create.ended).toEqual({ code: 0, signal: null })
    const { id } = JSON.parse(create.stdout())
    await using list = run('npm', npmKeys('list', '--data', data()), { cwd: root })
    expect(await list.ended).toEqual({ code: 0, signal: null })
    expect(list.stdout()).toContain(id)
    await using wrong = run('npm', npmKeys('list', '--bogus'), { cwd: root })
    expect((await wrong.ended).code).toBe(2)
  })
})

const npmKeys = (...words: string[]) => ['run', '--silent', 'keys', '--', ...words]
