// Streams while what the service stands on is taken away for a time: its database, the time of its clock, its process.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { jumpingClock } from '../../setup/jumpingClock.ts'
import { hasServer, ownPostgres } from '../../setup/ownPostgres.ts'
import { startBuilt } from '../../setup/runningService.ts'
import { expectWhatV3Has, type Follower, followers, hasHeard } from '../../setup/streamFollowers.ts'
import { eventually, openSocket, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const READERS = 50
/** `DATABASE_DOWN_S=30` leaves it away for longer. */
const DOWN_S = Number(process.env.DATABASE_DOWN_S ?? 3)

// A busy machine must not meet a bound that this is not about.
const PATIENT = ['--call-ms', '120000', '--statement-ms', '120000']

async function started(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const service = await startBuilt(['--data', data, '--limits', 'off', ...PATIENT, ...args], { env })
  onTestFinished(() => service[Symbol.asyncDispose]())
  return service
}

type Wallet = Awaited<ReturnType<typeof openWallet>>

/** Readers that have heard something: what came before it they could not resume behind. */
async function listening(url: string, { raw, mine }: Wallet, count: number): Promise<readonly Follower[]> {
  const wish = { types: ['transactions', 'blocks'], addresses: [raw, RECEIVER] } as const
  const all = followers(count, { url: () => url, wish })
  while (all.some(({ heard }) => heard.length === 0)) {
    await mine()
    await sleep(50)
  }
  return all
}

async function caughtUp({ client }: Wallet, all: readonly Follower[]): Promise<void> {
  const { last } = await client.getMasterchainInfo()
  await eventually(
    () => all.every((one) => hasHeard(one, last.seqno)) || undefined,
    `block ${last.seqno} was not heard`,
  )
}

test.runIf(hasServer)(
  'the database stops and starts again: nothing is lost, nothing comes twice',
  {
    timeout: 600_000,
  },
  async () => {
    const own = await ownPostgres()
    onTestFinished(() => own[Symbol.asyncDispose]())
    const database = `postgres://postgres@127.0.0.1:${own.primary.port}/postgres`
    const { url } = await started(['--database', database, '--mining', 'manual'])
    const wallet = await openWallet({ url })
    const all = await listening(url, wallet, READERS)
    const work = async (count: number) => {
      for (let i = 0; i < count; i++) {
        await wallet.send(RECEIVER, { comment: `number ${i}` })
        await wallet.mine(2)
      }
    }
    await work(5)
    for (const mode of ['immediate', 'fast'] as const) {
      const working = work(5)
      await own.primary.stop(mode)
      await working
      await sleep((DOWN_S / 2) * 1000)
      await work(3)
      await own.primary.start()
      await work(5)
    }
    await caughtUp(wallet, all)
    const compared = await expectWhatV3Has(all, url, [wallet.raw, RECEIVER])
    expect(compared.transactions).toBeGreaterThanOrEqual(2 * 31)
    expect(compared.blocks).toBeGreaterThanOrEqual(62)
  },
)

test('the clock of the machine is set back and forward: what happens is told as before, predictions too', {
  timeout: 600_000,
}, async () => {
  const clock = await jumpingClock()
  onTestFinished(() => clock[Symbol.asyncDispose]())
  const { url } = await started(['--mining', 'manual'], clock.env)
  const wallet = await openWallet({ url })
  const all = await listening(url, wallet, 8)
  const early = await openSocket({ url })
  await early.say('subscribe', { types: ['transactions'], addresses: [wallet.raw], min_finality: 'pending' })
  const isPredicted = (hash: string) => (frame: object) =>
    'finality' in frame && frame.finality === 'pending' && Object.values(frame).includes(hash)
  for (const hours of [-1, 2, 0, -30, 0]) {
    await clock.jump(hours)
    // It looks at the file now and then.
    await sleep(100)
    for (let i = 0; i < 3; i++) {
      const hash = await wallet.send(RECEIVER, { comment: `number ${i}` })
      await early.frames.first(isPredicted(hash))
      await wallet.mine()
    }
  }
  await caughtUp(wallet, all)
  const { transactions } = await expectWhatV3Has(all, url, [wallet.raw, RECEIVER])
  expect(transactions).toBeGreaterThanOrEqual(2 * 15)
  expect(all.map((one) => one.starts())).toEqual(all.map(() => 1))
  expect(early.frames.ended).toBe(false)
})
