// A service that is killed again and again while blocks are made: readers come back, by cursor and by Last-Event-ID, and what
// they have heard is what v3 has.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../setup/freePort.ts'
import { startBuilt } from '../../setup/runningService.ts'
import { expectWhatV3Has, followers, hasHeard } from '../../setup/streamFollowers.ts'
import { eventually, openWallet } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
/** Of each kind two. */
const READERS = 8
const KILLS = 2
const STEPS = 3
/** Of one call, whose time is bounded. */
const BLOCKS = 15
/** `KILLED_BLOCKS=1000` makes it a longer run. */
const LEAST = Number(process.env.KILLED_BLOCKS ?? 150)
const CALLS = Math.ceil(LEAST / ((KILLS + 1) * STEPS * BLOCKS))

test('killed within many blocks, it leaves its readers without a gap and without repetition', {
  timeout: 1_200_000,
}, async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const port = String(await freePort())
  const start = async () => {
    // A busy machine must not meet a bound that this is not about.
    const patient = ['--call-ms', '120000', '--statement-ms', '120000']
    const started = await startBuilt(['--data', data, '--mining', 'manual', '--port', port, ...patient])
    onTestFinished(() => started[Symbol.asyncDispose]())
    return started
  }
  let service = await start()
  const { client, raw, send, mine } = await openWallet(service)
  const wish = { types: ['transactions', 'blocks'], addresses: [raw, RECEIVER] } as const
  const all = followers(READERS, { url: () => service.url, wish })
  const heardOf = () => all.map(({ heard }) => heard.length)
  // What came before its first notification it cannot resume behind.
  while (heardOf().includes(0)) await mine()
  for (let kills = 0; kills <= KILLS; kills++) {
    for (let i = 0; i < STEPS; i++) {
      await send(RECEIVER, { comment: `number ${i}` })
      for (let calls = 0; calls < CALLS; calls++) await mine(BLOCKS)
    }
    if (kills === KILLS) break
    const [before = 0] = heardOf()
    const cut = mine(BLOCKS).catch(() => undefined)
    await eventually(() => ((heardOf()[0] ?? 0) > before ? true : undefined))
    service.child.kill('SIGKILL')
    await Promise.all([cut, service.ended])
    service = await start()
  }
  const { last } = await client.getMasterchainInfo()
  await eventually(() => all.every((one) => hasHeard(one, last.seqno)) || undefined, 'the last block was not heard')
  const compared = await expectWhatV3Has(all, service.url, [raw, RECEIVER])
  expect(compared.blocks).toBeGreaterThanOrEqual(LEAST)
  expect(compared.transactions).toBe((KILLS + 1) * STEPS * 2)
})
