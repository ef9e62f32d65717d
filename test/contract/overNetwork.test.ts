// A second process that reads the chain of a first one as anybody would: over its lite server, with every answer proven,
// and an index of its own. Both answer alike, follow alike, and outlive each other's restarts.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../client/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../setup/database.ts'
import { exampleReads, isWrite, LISTS } from '../setup/everyRead.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { type RunningService, startBuilt } from '../setup/runningService.ts'

const FAR = 1_200_000
/** Of one step. */
const STEP = 300_000

let folder: string
let first: RunningService
let second: RunningService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonrpc-network-'))
  first = await startFirst()
  await first.says(/demo played/)
  second = await startSecond()
})
afterAll(async () => {
  await Promise.all([first, second].map((service) => service[Symbol.asyncDispose]()))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const QUIET = ['--log-level', 'warn', '--limits', 'off', '--call-ms', '60000', '--statement-ms', '60000']
const config = () => join(folder, 'first', 'global.config.json')
// A block that is made between two answers would make them differ.
const startFirst = (...args: readonly string[]) =>
  startBuilt([
    '--data',
    join(folder, 'first'),
    '--seed',
    'demo',
    '--block-time',
    '24h',
    '--lite-port',
    '0',
    ...QUIET,
    ...args,
  ])
const startSecond = (...args: readonly string[]) =>
  startBuilt([
    '--data',
    join(folder, 'second'),
    '--network',
    'custom',
    '--liteservers',
    config(),
    '--index-from',
    '1',
    ...QUIET,
    ...args,
  ])

/** As npm and system managers stop it. */
async function stop(service: RunningService): Promise<void> {
  service.child.kill('SIGTERM')
  await service.ended
}

interface Reply {
  readonly result?: unknown
  readonly error?: unknown
}

async function call({ url }: RunningService, method: string, params: unknown): Promise<Reply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(`${url}/jsonRPC`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return (await answer.json()) as Reply
}

const headOf = async ({ url }: RunningService): Promise<number> =>
  (await createClient({ url, timeoutMs: 300_000 }).getMasterchainInfo()).last.seqno

const readinessOf = async ({ url }: RunningService) =>
  (await (await fetch(`${url}/readyz`)).json()) as { ready: boolean; checks: { chain?: string; index?: string } }

/** Until the index of `service` has what the chain of `first` has. */
async function caughtUp(service: RunningService): Promise<void> {
  const head = await headOf(first)
  await vi.waitFor(async () => {
    const { checks } = await readinessOf(service)
    expect(checks.index).toMatch(/^block \d+, 0 behind$/)
    expect(Number(/\d+/.exec(checks.index ?? '')?.[0])).toBeGreaterThanOrEqual(head)
  }, STEP)
}

/** Reads that may differ, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'rpc.discover': 'names its own network and methods',
  getConsensusBlock: 'says what time it is',
}

/** What a quiet chain has nothing of. */
const WITHOUT_ROWS = ['v3.pendingActions', 'v3.pendingTraces', 'v3.pendingTransactions', 'v3.abis', 'getLibraries']

/** Nothing but empty lists and maps. */
const isEmpty = (result: unknown): boolean => /^\{("[a-z_]+":(\[\]|\{\}),?)+\}$/.test(JSON.stringify(result))

interface Sample {
  readonly method: string
  readonly params: unknown
}

/** The bodies of the calls by curl that a page shows. */
async function samplesOf(url: string): Promise<readonly Sample[]> {
  const signs: Readonly<Record<string, string>> = { quot: '"', '#39': "'", amp: '&', lt: '<', gt: '>' }
  const page = (await (await fetch(url)).text()).replaceAll(/<[^>]*>/g, '')
  const text = page.replaceAll(/&(quot|#39|amp|lt|gt);/g, (sign, name: string) => signs[name] ?? sign)
  return [...text.matchAll(/-d '(\{"jsonrpc"[^']*)'/g)].map(([, body = '']) => JSON.parse(body) as Sample)
}

describe('a second process over the lite server of the first', () => {
  test('behavior: answers every read as the first does', { timeout: FAR }, async () => {
    await caughtUp(first)
    await caughtUp(second)
    const differing: string[] = []
    let compared = 0
    for (const { method, params } of await exampleReads(first)) {
      if (method in DIFFERENT) continue
      const [own, other] = await Promise.all([call(first, method, params), call(second, method, params)])
      compared++
      if (JSON.stringify(own) !== JSON.stringify(other)) differing.push(method)
    }
    expect(differing).toEqual([])
    expect(compared).toBeGreaterThan(60)
  })

  test('behavior: the calls of its reference pages are about its own chain, and get an answer', {
    timeout: FAR,
  }, async () => {
    await caughtUp(second)
    // A page draws for three seconds; on a busy machine some of its calls are those of the definitions at first.
    await vi.waitFor(async () => {
      const all = (await Promise.all(['v2', 'v3'].map((one) => samplesOf(`${second.url}/api/${one}/`)))).flat()
      // Emulations run a message that another one signed.
      const calls = all
        .filter(({ method }) => !isWrite(method) && !/^emulate\./.test(method))
        .filter(({ method }) => !WITHOUT_ROWS.includes(method))
      expect(calls.length).toBeGreaterThan(60)
      const failing: string[] = []
      for (const { method, params } of calls) {
        const { result } = await call(second, method, params)
        if (result === undefined || isEmpty(result)) failing.push(method)
      }
      expect(failing).toEqual([])
    }, STEP)
  })

  test.each(LISTS)('behavior: %s has the same rows', { timeout: FAR }, async (path) => {
    const [own, other] = await Promise.all(
      [first, second].map(async ({ url }) => {
        const answer = await fetch(url + path)
        return [answer.status, await answer.json()]
      }),
    )
    expect(other).toEqual(own)
  })

  test('behavior: follows the chain, and hands messages over to it', { timeout: FAR }, async () => {
    const client = createClient({ url: second.url, retry: false, timeoutMs: 300_000 })
    const { wallet, secretKey } = await fundedWallet(createClient({ url: first.url, timeoutMs: 300_000 }))
    const address = wallet.address.toRawString()
    const { seqno = 0 } = await client.getWalletInformation({ address })
    const to = `0:${'5e'.repeat(32)}`
    const messages = [internal({ to, value: toNano('3'), bounce: false })]
    const body = wallet.createTransfer({ seqno, secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, messages })
    const init = seqno === 0 ? wallet.init : undefined
    const message = beginCell()
      .store(storeMessage(external({ to: wallet.address, body, init })))
      .endCell()
    const { hash } = await client.sendBocReturnHash({ boc: message.toBoc().toString('base64') })
    await vi.waitFor(async () => {
      const { transactions } = await client.v3.transactionsByMessage({ msg_hash: [hash] })
      expect(transactions.length).toBe(1)
    }, STEP)
    await vi.waitFor(async () => expect(await client.getAddressBalance({ address: to })).toBe('3000000000'), STEP)
    await expect(client.sendBoc({ boc: message.toBoc().toString('base64') })).rejects.toThrow(/exitcode=33/)
  })

  test('behavior: goes on where it was after a restart', { timeout: FAR }, async () => {
    await stop(second)
    second = await startSecond()
    expect(second.stdout()).toMatch(/serves custom, ready in/)
    await caughtUp(second)
  })

  test('behavior: without the first it says so and answers from its index, and follows once it is back', {
    timeout: FAR,
  }, async () => {
    const place = /lite server +127\.0\.0\.1:(\d+)/.exec(first.stdout())?.[1] ?? ''
    await stop(first)
    await vi.waitFor(async () => {
      const { ready, checks } = await readinessOf(second)
      expect([ready, checks.chain]).toEqual([false, expect.stringContaining('no lite server answers')])
    }, STEP)
    const { url } = second
    expect((await fetch(`${url}/api/v3/transactions?limit=1`)).status).toBe(200)
    const refused = await fetch(`${url}/api/v2/getMasterchainInfo`)
    expect([refused.status, await refused.text()]).toEqual([542, expect.stringContaining('LITE_SERVER_NETWORK')])
    first = await startFirst('--lite-port', place)
    await createClient({ url: first.url, timeoutMs: 300_000 }).dev.mine({ blocks: 2 })
    await caughtUp(second)
    expect((await readinessOf(second)).checks.chain).toMatch(/^block \d+, .* 1 of 1 lite server$/)
  })
})

describe.runIf(drivers.includes('postgres'))('one chain and one database for several processes', () => {
  test('behavior: one indexes, one serves, both over the lite server of the owner', { timeout: FAR }, async () => {
    const database = await emptyDatabase()
    const shared = (name: string, role: string) =>
      startSecond('--data', join(folder, name), '--database', database, '--role', role)
    try {
      await using index = await shared('index', 'index')
      await caughtUp(index)
      await using api = await shared('api', 'api')
      await caughtUp(api)
      await createClient({ url: first.url, timeoutMs: 300_000 }).dev.faucet({
        address: `0:${'7a'.repeat(32)}`,
        amount: '5',
      })
      const client = createClient({ url: api.url, timeoutMs: 300_000 })
      await vi.waitFor(async () => {
        const { transactions } = await client.v3.transactions({ account: [`0:${'7a'.repeat(32)}`] })
        expect(transactions.length).toBe(1)
      }, STEP)
      expect(await client.getAddressBalance({ address: `0:${'7a'.repeat(32)}` })).toBe('5')
      expect((await client.getMasterchainInfo()).init).toEqual(
        (await createClient({ url: first.url, timeoutMs: 300_000 }).getMasterchainInfo()).init,
      )
    } finally {
      await dropDatabase(database)
    }
  })

  test('behavior: the owner indexes, the others serve its index', { timeout: FAR }, async () => {
    const database = await emptyDatabase()
    try {
      await using owner = await startBuilt([
        '--data',
        join(folder, 'owner'),
        '--database',
        database,
        '--role',
        'index',
        '--lite-port',
        '0',
        ...QUIET,
      ])
      await using api = await startBuilt([
        '--data',
        join(folder, 'reader'),
        '--network',
        'custom',
        '--role',
        'api',
        '--database',
        database,
        ...QUIET,
        '--liteservers',
        join(folder, 'owner', 'global.config.json'),
      ])
      await vi.waitFor(async () => expect((await readinessOf(api)).ready).toBe(true), STEP)
      const client = createClient({ url: api.url, timeoutMs: 300_000 })
      const { blocks } = await client.v3.blocks({ workchain: -1, seqno: 1 })
      expect(blocks.length).toBe(1)
      expect((await client.getMasterchainInfo()).last.seqno).toBeGreaterThan(0)
      expect(owner.stdout()).toContain('lite server')
    } finally {
      await dropDatabase(database)
    }
  })
})
