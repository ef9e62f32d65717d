import { beginCell, Cell, Dictionary, parseTuple, serializeTuple } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { afterEach, describe, expect, test } from 'vitest'
import type { GetMethodRun, TvmPool, TvmPoolOptions } from '../../../server/tvm/index.ts'
import { createConfig, createTvmPool, preparePlain, TvmBusy, TvmError, TvmTimeout } from '../../../server/tvm/index.ts'
import { alice, assemble, boc, code, internal, nestedTuple, shardAccount } from './contracts.ts'
import { now } from './corpus.ts'

const config = createConfig(defaultConfig)
const block = { now, randSeed: Buffer.alloc(32, 5) }
// ACCEPT lifts the gas limit of a get-method: only the clock ends this one.
const stuck = run({ code: boc(code.endless) })
const pools: TvmPool[] = []

function run(extra: Partial<GetMethodRun> = {}, argument = 1n): GetMethodRun {
  const stack = boc(serializeTuple([{ type: 'int', value: argument }]))
  const base = { code: boc(code.echo), data: boc(Cell.EMPTY), address: alice.toRawString(), balance: 1n }
  return { ...base, stack, methodId: 5, now, ...extra }
}

async function open(options: TvmPoolOptions): Promise<TvmPool> {
  const pool = await createTvmPool(options)
  pools.push(pool)
  return pool
}

function first(stack: string): unknown {
  return parseTuple(Cell.fromBase64(stack))[0]
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'none',
    (cause: unknown) => (cause instanceof TvmError ? cause.code : cause),
  )
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

test('default: 1,000 jobs over two threads, each with its own answer', async () => {
  const pool = await open({ workers: 2 })
  expect(pool.code).toMatchObject({ kind: 'quick', reason: null })
  expect(pool.stats.workers).toBe(0)
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => pool.runGetMethod(config, run({}, BigInt(index)))),
  )
  for (const [index, { stack }] of answers.entries())
    expect(first(stack)).toEqual({ type: 'int', value: BigInt(index) })
  expect(pool.stats).toEqual({ queued: 0, busy: 0, workers: 2 })
})

test('default: messages on accounts', async () => {
  const pool = await open({ workers: 1 })
  const transaction = {
    shardAccount: boc(shardAccount({ code: code.silent })),
    message: boc(internal({})),
    lt: 1_000_000n,
  }
  expect(await pool.emulate(config, block, transaction)).toMatchObject({ accepted: true })
  const refused = beginCell()
    .storeUint(0b10, 2)
    .storeUint(0, 2)
    .storeAddress(alice)
    .storeCoins(0)
    .storeUint(0, 2)
    .endCell()
  expect(await pool.emulate(config, block, { ...transaction, message: boc(refused) })).toMatchObject({
    accepted: false,
    exitCode: 0,
  })
})

test.each([0, 1, 2])(
  'error: run %s of three is no plain data: the others, sent with it, are answered',
  async (broken) => {
    const pool = await open({ workers: 1, eager: true })
    await pool.runGetMethod(config, run())
    const unsendable = { ...run(), note: () => 'a function' }
    const runs = [run(), run(), run()].with(broken, unsendable)
    const ended = await Promise.all(runs.map((one) => failure(pool.runGetMethod(config, one))))
    expect(ended).toEqual(['none', 'none', 'none'].with(broken, 'badInput'))
    expect(await failure(pool.runGetMethod(config, run()))).toBe('none')
    expect(pool.stats).toEqual({ queued: 0, busy: 0, workers: 1 })
  },
)

test('args: eager, the plain way', async () => {
  const pool = await open({ workers: 2, eager: true, code: await preparePlain() })
  expect(pool.stats.workers).toBe(2)
  expect(pool.code).toMatchObject({ kind: 'plain', reason: 'requested' })
  expect((await pool.runGetMethod(config, run())).success).toBe(true)
})

test('args: gasLimit', async () => {
  const pool = await open({ workers: 1, gasLimit: 5000n })
  const endless = run({ code: boc(assemble('FF00 9100 EA')) })
  const { exitCode, gasUsed } = await pool.runGetMethod(config, endless)
  expect(exitCode).toBe(-14)
  expect(gasUsed).toBeLessThan(5100n)
  expect((await pool.runGetMethod(config, { ...endless, gasLimit: 100_000n })).gasUsed).toBeGreaterThan(99_999n)
})

describe('configurations, more than a thread keeps', () => {
  const PARAM = 1_000_000
  const configs = Array.from({ length: 6 }, (_, index) => {
    const params = Dictionary.loadDirect(
      Dictionary.Keys.Int(32),
      Dictionary.Values.Cell(),
      Cell.fromBase64(defaultConfig),
    )
    params.set(PARAM, beginCell().storeUint(index, 8).endCell())
    return createConfig(beginCell().storeDictDirect(params).endCell().toBoc())
  })

  test('behavior: one after the other, and again', async () => {
    const pool = await open({ workers: 1 })
    expect(new Set(configs.map(({ hash }) => hash)).size).toBe(6)
    for (const each of [...configs, ...configs])
      expect((await pool.runGetMethod(each, run({ code: boc(code.config) }, 34n))).success).toBe(true)
  })

  test('behavior: runs with each of them, sent to the thread at once', async () => {
    const pool = await open({ workers: 1, eager: true })
    await pool.runGetMethod(config, run())
    const all = [...configs, ...configs]
    const ended = await Promise.all(all.map((each) => failure(pool.runGetMethod(each, run()))))
    expect(ended).toEqual(all.map(() => 'none'))
  })
})

describe('time limit', () => {
  test('behavior: a run without an end is ended, what waits behind it is answered', async () => {
    const notices: string[] = []
    const pool = await open({
      workers: 1,
      timeLimitMs: 500,
      notice: (text, facts) => notices.push(`${text}: ${facts.cause}`),
    })
    const jobs = [stuck, run({}, 7n), stuck, run({}, 8n)].map((each) => pool.runGetMethod(config, each))
    const [first, second, third, fourth] = await Promise.allSettled(jobs)
    for (const slow of [first, third]) expect(slow).toMatchObject({ reason: expect.any(TvmTimeout) })
    expect(first).toMatchObject({ reason: { code: 'timeout', limit: 500 } })
    for (const quick of [second, fourth]) expect(quick).toMatchObject({ value: { success: true } })
    expect(notices).toEqual(Array(2).fill('TVM thread replaced: TVM run took longer than 500 ms'))
  })

  test('behavior: runs of others that were sent behind a long one are soon run elsewhere', async () => {
    const pool = await open({ workers: 2, eager: true, timeLimitMs: 5000 })
    await Promise.all(Array.from({ length: 20 }, () => pool.runGetMethod(config, run())))
    const end = new AbortController()
    const long = failure(pool.share('slow').runGetMethod(config, stuck, { signal: end.signal }))
    const answers = Array.from({ length: 20 }, (_, index) => pool.runGetMethod(config, run({}, BigInt(index))))
    const all = Promise.all(answers).then((each) => each.map(({ stack }) => first(stack)))
    expect(await Promise.race([all, long])).toEqual(answers.map((_, n) => ({ type: 'int', value: BigInt(n) })))
    expect(pool.stats).toEqual({ queued: 0, busy: 1, workers: 2 })
    end.abort()
    expect(await long).toBe('aborted')
  })

  test('behavior: a huge gas limit does not help', async () => {
    const pool = await open({ workers: 1 })
    const greedy = run({ code: boc(assemble('FF00 9100 EA')), gasLimit: 2n ** 62n })
    expect(await failure(pool.runGetMethod(config, greedy, { timeLimitMs: 300 }))).toBe('timeout')
    expect((await pool.runGetMethod(config, run())).success).toBe(true)
  })

  test('behavior: an answer that came in time counts, however late it is read', async () => {
    const pool = await open({ workers: 1, timeLimitMs: 200 })
    await pool.runGetMethod(config, run())
    const answer = pool.runGetMethod(config, run())
    const until = performance.now() + 600
    while (performance.now() < until);
    expect((await answer).success).toBe(true)
  })
})

describe('shares', () => {
  const others = (pool: TvmPool, count: number) =>
    Promise.all(Array.from({ length: count }, () => pool.share('quick').runGetMethod(config, run())))

  test('behavior: a caller of endless runs holds up no other one', async () => {
    const pool = await open({ workers: 2, timeLimitMs: 500 })
    let ended = 0
    const endless = Array.from({ length: 8 }, () =>
      failure(pool.share('endless').runGetMethod(config, stuck)).finally(() => ended++),
    )
    expect(await others(pool, 20)).toHaveLength(20)
    // First come, first served, all of them would have ended before.
    expect(ended).toBeLessThan(8)
    expect(await Promise.all(endless)).toEqual(Array(8).fill('timeout'))
  })

  test('behavior: nor do many such callers, once they are known', async () => {
    const pool = await open({ workers: 2, timeLimitMs: 500 })
    const endless = (count: number) => Array.from({ length: count }, (_, i) => pool.share(`endless ${i}`))
    await Promise.all(endless(3).map((share) => failure(share.runGetMethod(config, stuck))))
    let ended = 0
    const again = endless(3).flatMap((share) =>
      Array.from({ length: 4 }, () => failure(share.runGetMethod(config, stuck)).finally(() => ended++)),
    )
    expect(await others(pool, 20)).toHaveLength(20)
    expect(ended).toBeLessThan(12)
    await pool.close()
    await Promise.all(again)
  })

  test('error: a caller with too many runs is refused, others are not', async () => {
    const pool = await open({ workers: 1, shareLimit: 2 })
    const jobs = Array.from({ length: 4 }, () => failure(pool.share('many').runGetMethod(config, run())))
    const other = pool.share('few').runGetMethod(config, run())
    expect(await Promise.all(jobs)).toEqual(['none', 'none', 'none', 'busy'])
    expect((await other).success).toBe(true)
  })
})

describe('queue', () => {
  test('error: full', async () => {
    const pool = await open({ workers: 1, queueLimit: 2 })
    await pool.runGetMethod(config, run())
    const jobs = Array.from({ length: 5 }, () => pool.runGetMethod(config, run()))
    const settled = await Promise.allSettled(jobs)
    expect(settled.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), ...Array(2).fill('rejected')])
    expect(settled[4]).toMatchObject({ reason: expect.any(TvmBusy) })
    expect(settled[4]).toMatchObject({ reason: { code: 'busy', limit: 2 } })
  })

  test('behavior: an aborted job leaves the queue, or its result is dropped', async () => {
    const pool = await open({ workers: 1, timeLimitMs: 1000 })
    await pool.runGetMethod(config, run())
    const atWork = new AbortController()
    const waiting = new AbortController()
    const running = failure(pool.runGetMethod(config, stuck, { signal: atWork.signal }))
    const queued = failure(pool.runGetMethod(config, run(), { signal: waiting.signal }))
    const after = pool.runGetMethod(config, run())
    expect(pool.stats.queued).toBe(2)
    waiting.abort()
    expect(pool.stats.queued).toBe(1)
    atWork.abort()
    expect([await running, await queued]).toEqual(['aborted', 'aborted'])
    expect((await after).success).toBe(true)
    expect(await failure(pool.runGetMethod(config, run(), { signal: AbortSignal.abort() }))).toBe('aborted')
  })

  test('behavior: close rejects what waits and what comes', async () => {
    const pool = await open({ workers: 1 })
    await pool.runGetMethod(config, run())
    const jobs = [failure(pool.runGetMethod(config, stuck)), failure(pool.runGetMethod(config, run()))]
    await pool.close()
    expect(await Promise.all(jobs)).toEqual(['closed', 'closed'])
    expect(await failure(pool.runGetMethod(config, run()))).toBe('closed')
    await pool.close()
  })
})

describe('hostile input', () => {
  test('error: garbage is refused and costs no thread', async () => {
    const notices: unknown[] = []
    const pool = await open({ workers: 1, notice: (text) => notices.push(text) })
    const bad: Partial<GetMethodRun>[] = [
      { code: 'AAAA' },
      { data: 'AAAA' },
      { stack: 'AAAA' },
      { address: '' },
      { libs: 'AAAA' },
    ]
    for (const extra of bad) {
      expect(await failure(pool.runGetMethod(config, run(extra))), JSON.stringify(extra)).toBe('badInput')
      expect((await pool.runGetMethod(config, run())).success).toBe(true)
    }
    const transaction = { shardAccount: 'AAAA', message: boc(internal({})), lt: 1n }
    expect(await failure(pool.emulate(config, block, transaction))).toBe('badInput')
    expect(await failure(pool.emulate(config, { ...block, randSeed: Buffer.alloc(3) }, transaction))).toBe('badInput')
    expect(notices).toEqual([])
  })

  test('error: a run that is no plain data', async () => {
    const pool = await open({ workers: 1 })
    const symbol = Symbol('address') as unknown as string
    const jobs = [{}, { address: symbol }, {}, { address: symbol }, {}].map((extra) =>
      failure(pool.runGetMethod(config, run(extra))),
    )
    expect(await Promise.all(jobs)).toEqual(['none', 'badInput', 'none', 'badInput', 'none'])
  })

  test('error: results too deep to write down', async () => {
    const pool = await open({ workers: 1 })
    for (const depth of [2000, 20_000, 32_767]) {
      const code = boc(nestedTuple(depth))
      expect(['stackTooDeep', 'crashed']).toContain(
        await failure(pool.runGetMethod(config, run({ code, gasLimit: 10_000_000n }))),
      )
      expect((await pool.runGetMethod(config, run())).success).toBe(true)
    }
  })

  test('behavior: a thread that has grown too large is replaced', async () => {
    const notices: string[] = []
    const pool = await open({ workers: 1, memoryLimit: 1 << 20, notice: (text) => notices.push(text) })
    for (let index = 0; index < 3; index++) expect((await pool.runGetMethod(config, run())).success).toBe(true)
    expect(notices).toContain('TVM thread replaced: memory')
  })

  test('error: threads that do not start', async () => {
    const { code } = await open({ workers: 1 })
    const broken = await open({ workers: 2, code: { ...code, module: Object.create(null) } })
    expect(await failure(broken.runGetMethod(config, run()))).toBe('crashed')
    expect(await failure(broken.runGetMethod(config, run()))).toBe('crashed')
  })
})
