// A receiver that is away for an hour, of a clock that runs faster, or while the clock is set back.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { fastClock, jumpingClock } from '../../setup/jumpingClock.ts'
import { startBuilt } from '../../setup/runningService.ts'
import { eventually, type Frame, openWallet } from '../../setup/streams.ts'
import { openReceiver, webhooksOf } from '../../setup/webhooks.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
/** An hour within twelve seconds. */
const RATE = 300
const HOUR_S = 3600
const subscription = { types: ['transactions'], addresses: [RECEIVER] }

async function started(env: Readonly<Record<string, string>>) {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const service = await startBuilt(['--data', data, '--mining', 'manual', '--webhook-private'], { env })
  onTestFinished(() => service[Symbol.asyncDispose]())
  return service
}

const hashOf = ({ body }: { readonly body: Frame }): unknown => (body.transactions as readonly Frame[])[0]?.hash

/** Of an hour by the table there are some twenty; a busy machine takes minutes of that clock for each. */
const LEAST_TRIES = 16

test('down for an hour it is tried by the table, and then gets all in order; others wait for nothing', async () => {
  const clock = await fastClock(RATE)
  onTestFinished(() => clock[Symbol.asyncDispose]())
  const service = await started(clock.env)
  const { send, mine, client } = await openWallet(service)
  const { add, one, send: call } = webhooksOf(service)
  const down = await openReceiver()
  const well = await openReceiver()
  down.answer = (res) => void res.destroy()
  const { id } = await add(down.url, subscription)
  await add(well.url, subscription)
  // Of the newest block.
  const timeOf = async () => (await client.dev.state()).utime
  await mine()
  const begun = await timeOf()
  let sent = 0
  while ((await timeOf()) < begun + HOUR_S || sent < 10 || down.all.length < LEAST_TRIES) {
    await send(RECEIVER, { comment: `number ${sent++}` })
    await mine()
    await well.count(sent)
    await sleep(500)
  }
  expect(await one(id)).toMatchObject({ status: 'offline', delivered: 0 })
  expect(new Set(down.all.map(hashOf))).toEqual(new Set([well.all.slice(0, 1).map(hashOf)[0]]))
  down.answer = (res) => void res.writeHead(200).end()
  await eventually(async () => ((await one(id)).delivered === sent ? true : undefined))
  const hashes = down.all.map(hashOf)
  expect(hashes.filter((hash, i) => hash !== hashes[i - 1])).toEqual(well.all.map(hashOf))
  expect(await one(id)).toMatchObject({ status: 'online', status_failed_attempts: 0 })
  const { deliveries } = (await call('GET', `/webhooks/${id}/deliveries?limit=1000`)).body as { deliveries?: Frame[] }
  const tries = (deliveries ?? []).filter(({ error }) => error !== undefined).reverse()
  const times = tries.map(({ time }) => Date.parse(String(time)) / 1000)
  const pauses = times.slice(1).map((at, i) => at - (times[i] ?? 0))
  const table = [1, 5, 20, ...Array.from({ length: 10 }, () => 60), ...Array.from({ length: 10 }, () => 300)]
  expect(tries.length).toBeGreaterThanOrEqual(LEAST_TRIES)
  // None is tried sooner than the table says.
  expect(pauses.filter((pause, i) => pause < (table[i] ?? 600) - 1)).toEqual([])
})

test('a clock that is set back holds up no event for longer than its pause', async () => {
  const clock = await jumpingClock()
  onTestFinished(() => clock[Symbol.asyncDispose]())
  const service = await started(clock.env)
  const { send, mine } = await openWallet(service)
  const { add, one, send: call } = webhooksOf(service)
  const receiver = await openReceiver()
  const { answer } = receiver
  receiver.answer = (res) => void res.writeHead(503).end()
  const { id } = await add(receiver.url, subscription)
  await send(RECEIVER)
  await mine()
  await eventually(async () => ((await one(id)).status === 'offline' ? true : undefined))
  await clock.jump(-10)
  await sleep(100)
  receiver.answer = answer
  // Its delivery begins anew, with the pause that was noted.
  await call('POST', `/webhooks/${id}/subscribe-new-contracts`)
  await eventually(async () => ((await one(id)).delivered === 1 ? true : undefined))
})
