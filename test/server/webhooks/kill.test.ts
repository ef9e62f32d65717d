// A service that is killed between a delivery and the note of it, again and again: nothing is lost, and what follows comes in order.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { mainFile, run, startBuilt } from '../../setup/runningService.ts'
import { eventually, type Frame, openWallet } from '../../setup/streams.ts'
import { openReceiver } from '../../setup/webhooks.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const TRANSFERS = 4

async function command(...args: readonly string[]): Promise<string> {
  const running = run(process.execPath, [mainFile, 'webhooks', ...args])
  const { code } = await running.ended
  if (code !== 0) throw new Error(running.stderr())
  return running.stdout()
}

const hashOf = ({ transactions }: Frame): unknown => (transactions as readonly Frame[])[0]?.hash

test('killed with each delivery, it delivers all in order, and the command line shows them', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const start = async () => {
    const started = await startBuilt(['--data', data, '--mining', 'manual', '--webhook-private'])
    onTestFinished(() => started[Symbol.asyncDispose]())
    return started
  }
  const receiver = await openReceiver()
  let starting = start()
  let service = await starting
  const { send, mine } = await openWallet(service)
  const place = ['--url', service.url]
  const added = await command('add', receiver.url, '--types', 'transactions', '--addresses', RECEIVER, ...place)
  expect(added).toMatch(/^Webhook 1\. .*\ntoken {2}whtoken_\S+\nsecret whsecret_\S+\n/)
  expect(await command('test', '1', ...place)).toMatch(/^The endpoint answered 200 within \d+ ms\.\n$/)
  await receiver.count(1)
  const seen = receiver.all.length
  // Nothing is answered while the blocks are made.
  receiver.answer = () => undefined
  for (let i = 0; i < TRANSFERS; i++) {
    await send(RECEIVER, { comment: `number ${i}` })
    await mine()
  }
  await receiver.count(seen + 1)
  service.child.kill('SIGKILL')
  let kills = 0
  receiver.answer = (res) => {
    const kill = (): void => void starting.then(({ child }) => child.kill('SIGKILL'))
    // The first one is not answered: its place is never stored.
    if (kills++ === 0) kill()
    else res.writeHead(200).end(kill)
  }
  await service.ended
  for (let deaths = 0; deaths < 2; deaths++) {
    starting = start()
    service = await starting
    await service.ended
  }
  receiver.answer = (res) => void res.writeHead(200).end()
  service = await start()
  const listed = async () => {
    const { body } = await ask(service, `/api/v3/transactions?account=${RECEIVER}&sort=asc&limit=100`)
    const { transactions = [] } = body as { transactions?: readonly Frame[] }
    return transactions.map(({ hash }) => hash)
  }
  const wanted = await eventually(async () => {
    const hashes = await listed()
    return hashes.length === TRANSFERS ? hashes : undefined
  })
  const posted = () => receiver.all.slice(seen).map(({ body }) => hashOf(body))
  await eventually(() => (new Set(posted()).size === TRANSFERS ? true : undefined))
  const all = posted()
  expect(all.length).toBeGreaterThan(TRANSFERS)
  expect(all.filter((hash, i) => hash !== all[i - 1])).toEqual(wanted)
  const now = ['--url', service.url]
  expect(await command('deliveries', '1', ...now)).toMatch(/^TIME .*\n\S+ +transactions +\d+ +1 +200 /)
  expect(await command('list', ...now)).toMatch(/^ID .*\n1 +online /)
  expect(await command('remove', '1', ...now)).toBe('Removed webhook 1.\n')
  expect(await command('list', ...now)).toMatch(/^No webhooks yet/)
})
