// `tonrpc/testing` as it is built: services that begin and end with the tests that use them.

import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root, run } from '../../setup/runningService.ts'

type Testing = typeof import('../../../server/testing/index.ts')

const entry = pathToFileURL(join(root, '.build/testing/testing.js')).href
const { startTestService }: Testing = await import(entry)

/** A busy machine does not meet the bounds of a call. */
const settings = { callMs: 120_000, runMs: 60_000, statementMs: 120_000 }

const address = `0:${'55'.repeat(32)}`

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tonrpc-testing-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const isAnswering = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

test('a service with an empty chain, all of whose interfaces answer; stopped, it is gone', async () => {
  const { url, client, stop } = await startTestService({ settings })
  onTestFinished(stop)
  expect((await client.getMasterchainInfo()).last.seqno).toBeLessThan(10)
  await client.dev.faucet({ address, amount: '2000000000' })
  expect((await client.v3.accountStates({ address: [address] })).accounts[0]?.balance).toBe('2000000000')
  await Promise.all([stop(), stop()])
  expect(await isAnswering(url)).toBe(false)
})

test('two at once are two chains, and begin as copies of a backup', async () => {
  const first = await startTestService({ settings })
  onTestFinished(first.stop)
  await first.client.dev.faucet({ address, amount: '1000000000' })
  const copy = join(temporary(), 'copy')
  await first.backup(copy)
  await expect(first.backup(copy)).rejects.toThrow(copy)
  const copies = await Promise.all([1, 2].map(() => startTestService({ settings, copyOf: copy })))
  for (const { stop } of copies) onTestFinished(stop)
  await copies[0]?.client.dev.faucet({ address, amount: '500000000' })
  const balances = await Promise.all(
    copies.map(async ({ client }) => (await client.v3.accountStates({ address: [address] })).accounts[0]?.balance),
  )
  // The first paid for its storage meanwhile.
  expect(balances).toEqual([expect.stringMatching(/^1(5|4999)/), '1000000000'])
})

test.each<[string, object, RegExp]>([
  ['an unknown setting', { settings: { sed: 'none' } }, /unknown setting "sed".*did you mean "seed"/],
  ['a setting that cannot be', { settings: { mining: 'sometimes' } }, /mining/],
  ['a folder that is no backup', { copyOf: '/nowhere' }, /\/nowhere is no finished backup/],
  ['a data folder', { settings: { data: '/nowhere' } }, /leave out data, or name a backup as copyOf/],
  ['an unknown option', { seting: 1 }, /no option seting: there are settings and copyOf/],
])('%s is refused in words', async (_, options, words) => {
  await expect(startTestService(options)).rejects.toThrow(words)
})

/** Starts a service in a process of its own, which goes on as `then` says. */
function inProcess(folder: string, then: string) {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs'
    import { setTimeout as wait } from 'node:timers/promises'
    import { startTestService } from '${entry}'
    const { url, stop } = await startTestService()
    console.log('at ' + url)
    ${then}`
  return run(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env: { TMPDIR: folder } })
}

async function untilGone(url: string, folder: string): Promise<void> {
  while ((await isAnswering(url)) || readdirSync(folder).length > 0) await wait(20)
}

test('a process of tests that does not stop its service ends all the same, and takes it along', async () => {
  const folder = temporary()
  await using tests = inProcess(folder, '')
  const [, url = ''] = await tests.says(/at (\S+)/)
  expect(await tests.ended).toEqual({ code: 0, signal: null })
  await untilGone(url, folder)
})

test('a process of tests that is killed takes its service along', async () => {
  const folder = temporary()
  await using tests = inProcess(folder, 'setInterval(() => {}, 1000)')
  const [, url = ''] = await tests.says(/at (\S+)/)
  expect(existsSync(join(folder, readdirSync(folder)[0] ?? '', 'data'))).toBe(true)
  // Not its process group: the service is in it.
  tests.child.kill('SIGKILL')
  await untilGone(url, folder)
})

test('so does one that is killed while its service starts', async () => {
  const folder = temporary()
  await using tests = inProcess(folder, '')
  const data = () => readdirSync(folder).map((name) => join(folder, name, 'data'))
  while (!data().some(existsSync)) await wait(5)
  tests.child.kill('SIGKILL')
  while (readdirSync(folder).length > 0) await wait(20)
})

test.each([
  [
    'does not pass them on',
    `Promise.reject(new TypeError('fetch failed', { cause: new Error('no way to the proxy') }))`,
  ],
  ['never answers', `signal ? Promise.reject(new Error('no way to the proxy')) : new Promise(() => {})`],
])('where calls of the tests go to a proxy that %s, it says what to do, and is gone', async (_, reply) => {
  const folder = temporary()
  const script = `
    globalThis.fetch = (_, { signal } = {}) => ${reply}
    const { startTestService } = await import('${entry}')
    await startTestService().catch(({ message }) => console.log(message))`
  const words = ['--input-type=module', '-e', script]
  await using tests = run(process.execPath, words, { cwd: root, env: { TMPDIR: folder } })
  expect(await tests.ended).toEqual({ code: 0, signal: null })
  expect(tests.stdout()).toMatch(/do not reach the service at http:\S+: Error: no way to the proxy; .* in NO_PROXY\n$/)
  expect(readdirSync(folder)).toEqual([])
})

/** A script that ends the service with a signal, and waits until it is gone. */
const signalService = (folder: string, signal: NodeJS.Signals) => `
    const [top] = readdirSync('${folder}')
    const { pid } = JSON.parse(readFileSync('${folder}/' + top + '/data/chain/lock.1', 'utf8'))
    process.kill(pid, '${signal}')
    const isThere = () => { try { return process.kill(pid, 0) } catch { return false } }
    while (isThere()) await wait(20)`

test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
  '%s that reaches a service before its tests end leaves no folder',
  async (signal) => {
    const folder = temporary()
    await using tests = inProcess(folder, signalService(folder, signal))
    expect(await tests.ended).toEqual({ code: 0, signal: null })
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a service that ended by itself is reported by stop, with what it printed', async () => {
  const folder = temporary()
  await using tests = inProcess(
    folder,
    `${signalService(folder, 'SIGKILL')}
    await wait(20)
    await stop().catch(({ message }) => console.log('stop: ' + message))`,
  )
  expect((await tests.says(/stop: .*/s))[0]).toMatch(/^stop: the service ended before it was stopped\n.*jsonRPC/s)
  expect(await tests.ended).toEqual({ code: 0, signal: null })
  expect(readdirSync(folder)).toEqual([])
})
