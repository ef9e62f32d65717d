// Everything that happens to a database while messages are sent and read. What was acknowledged is in the index at the end, no
// answer is wrong meanwhile, and calls that need no database go on.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cuttableProxy } from '../../../setup/cuttableProxy.ts'
import { type JumpingClock, jumpingClock } from '../../../setup/jumpingClock.ts'
import { hasPooler, hasServer, type OwnServer, ownPooler, ownPostgres } from '../../../setup/ownPostgres.ts'
import { HASTY, type RunningService, startBuilt } from '../../../setup/runningService.ts'

interface Sent {
  readonly tx_hash: string
  readonly seqno: number
}

const PATIENCE = { timeout: 300_000, interval: 250 }

describe.runIf(hasServer)('a database that', () => {
  let top = ''
  let own: Awaited<ReturnType<typeof ownPostgres>>
  let proxy: Awaited<ReturnType<typeof cuttableProxy>>
  let service: RunningService
  let primary: OwnServer
  let clock: JumpingClock
  let begin: () => Promise<RunningService>
  const sent: Sent[] = []
  const wrong: string[] = []
  const seen = { indexed: 0, refused: 0 }

  const post = async (method: string, params: unknown): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'Content-Type': 'application/json' }
    const reply = await (await fetch(`${service.url}/jsonRPC`, { method: 'POST', headers, body })).json()
    const { result, error } = reply as { result?: unknown; error?: unknown }
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }

  /** The chain is not in the database: a send is always acknowledged. */
  const give = async (): Promise<Sent> => {
    const to = `0:${(sent.length + 1).toString(16).padStart(64, '0')}`
    // The cast: the shape of its result.
    const one = (await post('dev.faucet', { address: to, amount: '1000000000' })) as Sent
    sent.push(one)
    return one
  }

  /** Whether the transaction is found; an answer has it, or is an error that says so. */
  async function isFound({ tx_hash, seqno }: Sent): Promise<boolean> {
    const reply = await fetch(`${service.url}/api/v3/transactions?hash=${encodeURIComponent(tx_hash)}`, {
      headers: { 'X-Min-Seqno': String(seqno) },
    })
    const text = await reply.text()
    if (reply.status === 200) {
      seen.indexed++
      if (!text.includes(tx_hash)) wrong.push(text.slice(0, 200))
      return true
    }
    seen.refused++
    if (![503, 504, 500, 429].includes(reply.status) || !/^\{"error":"[^"]{10,}"/.test(text))
      wrong.push(`${reply.status} ${text.slice(0, 200)}`)
    if (/postgres|127\.0\.0\.1|select |insert /i.test(text)) wrong.push(`internals: ${text.slice(0, 200)}`)
    return false
  }

  /** Sends and reads while a fault lasts, then everything sent so far has to be found. */
  async function during(fault: () => Promise<unknown>, heal: () => Promise<unknown> = async () => undefined) {
    await give()
    await fault()
    const one = await give()
    await isFound(one)
    expect(await post('getAddressBalance', { address: `0:${'1'.padStart(64, '0')}` })).toMatch(/^\d+$/)
    await sleep(1_000)
    await isFound(one)
    await heal()
    await give()
    for (const each of sent) await expect.poll(() => isFound(each), PATIENCE).toBe(true)
  }

  /** Sends, and how far the time of the newest block is ahead of this process's clock, in hours. */
  async function hoursAhead(): Promise<number> {
    await give()
    const { last } = (await post('getMasterchainInfo', {})) as { last: { seqno: number } }
    const block = { workchain: -1, shard: '-9223372036854775808', seqno: last.seqno }
    const { gen_utime } = (await post('getBlockHeader', block)) as { gen_utime: number }
    return Math.round((gen_utime - Date.now() / 1000) / 3600)
  }

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'tonrpc-faults-'))
    own = await ownPostgres({ onSmallDisk: true })
    primary = own.primary
    proxy = await cuttableProxy(primary.port)
    const database = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
    clock = await jumpingClock()
    const { env } = clock
    begin = () =>
      startBuilt(['--data', join(top, 'data'), '--database', database, '--limits', 'off', ...HASTY], { env })
    service = await begin()
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    proxy?.close()
    await own?.[Symbol.asyncDispose]()
    await clock?.[Symbol.asyncDispose]()
    await rm(top, { recursive: true, force: true, maxRetries: 5 })
  })

  test('is there', () => during(async () => undefined))

  test('is killed and started again', () =>
    during(
      () => primary.stop('immediate'),
      () => primary.start(),
    ))

  test('cannot be reached', () =>
    during(
      async () => proxy.cut(),
      async () => proxy.heal(),
    ))

  test('does not answer', () =>
    during(
      async () => proxy.hang(),
      async () => proxy.heal(),
    ))

  test('is slow', () =>
    during(
      async () => proxy.slow(200),
      async () => proxy.heal(),
    ))

  test('has no room on its disk', async ({ skip }) => {
    const { disk } = own
    if (disk === null) return skip('a disk of its own needs the rights to mount one')
    const isRefused = async () => !(await isFound(await give()))
    await during(
      async () => {
        await disk.fill()
        // Pages that were begun still take rows.
        await expect.poll(isRefused, PATIENCE).toBe(true)
      },
      () => disk.free(),
    )
    expect(service.stderr()).toMatch(/No space left on device/)
  })

  test('is full', () =>
    during(
      () =>
        primary.query(`create function refuse() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
          create trigger refuse before insert on blocks for each statement execute function refuse()`),
      () => primary.query('drop trigger refuse on blocks'),
    ))

  test.runIf(hasPooler)('is behind a pooler, which is restarted', async () => {
    await using pooler = await ownPooler(primary.port)
    await during(
      async () => proxy.heal(pooler.port),
      () => pooler.restart(),
    )
    await during(
      () => pooler.restart(),
      async () => proxy.heal(primary.port),
    )
  })

  test('has another time than the service, whose clock jumps ahead and back', () =>
    during(
      async () => {
        await clock.jump(1)
        await expect.poll(hoursAhead, PATIENCE).toBe(1)
      },
      async () => {
        await clock.jump(-1)
        await sleep(1_000)
        await give()
        await clock.jump(0)
      },
    ))

  test('fails over to its replica, which is read-only at first', async () => {
    const replica = await own.replica()
    await during(
      async () => {
        await primary.stop('immediate')
        proxy.heal(replica.port)
      },
      () => replica.promote(),
    )
  })

  test('has everything that was acknowledged when the service is stopped under load', async () => {
    const most = sent.length + 40
    const callers = Array.from({ length: 8 }, async () => {
      for (;;) {
        try {
          await give()
        } catch (error) {
          return error instanceof Error ? error.cause : error
        }
        // Once: a second signal does not wait.
        if (sent.length >= most && !service.child.killed) service.child.kill('SIGTERM')
      }
    })
    const refusals = await Promise.all(callers)
    expect((await service.ended).code).toBe(0)
    // A call that was taken is answered: others find no connection.
    for (const one of refusals) expect(one).toMatchObject({ code: expect.stringMatching(/^(ECONN|UND_ERR_SOCKET)/) })
    service = await begin()
    for (const each of sent) await expect.poll(() => isFound(each), PATIENCE).toBe(true)
  })

  test('gave no wrong answer in all that time', () => {
    expect(wrong).toEqual([])
    expect(seen.indexed).toBeGreaterThan(sent.length)
    // The faults were felt: one that is cut off, one that is full and one that is read-only cannot have the block.
    expect(seen.refused).toBeGreaterThanOrEqual(4)
    expect(service.stderr()).not.toMatch(/"level":"(fatal|error)"/)
  })
})
