// The client's iterator against a service that goes away in between.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { type StreamNotification, type StreamType, stream } from '../../../client/ws.ts'
import { guides } from '../../setup/documents.ts'
import { root, run } from '../../setup/runningService.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, openWallet } from '../../setup/streams.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const RECEIVER = `0:${'AB'.repeat(32)}`
let opened: ReturnType<typeof openWallet> | null = null
/** One for all tests: each of its messages has the next number. */
const ownWallet = () => {
  opened ??= openWallet(service())
  return opened
}

test('notifications one after the other, resumed by cursor, until the signal ends them', async () => {
  const wallet = await ownWallet()
  const end = new AbortController()
  const client = createClient({ url: service().url, stream, timeoutMs: 300_000 })
  const wish = { types: ['account_state_change'], addresses: [RECEIVER], signal: end.signal } as const
  const take = async (after: string | undefined, count: number): Promise<StreamNotification[]> => {
    const found: StreamNotification[] = []
    for await (const one of client.stream({ ...wish, after })) {
      found.push(one)
      if (found.length === count) break
    }
    return found
  }
  const first = take(undefined, 1)
  let isTaken = false
  void first.then(() => {
    isTaken = true
  })
  // Until the subscription is there, transfers pass it by.
  while (!isTaken) {
    await wallet.send(RECEIVER)
    await wallet.mine()
  }
  const [begun] = await first
  expect(begun).toMatchObject({ type: 'account_state_change', finality: 'finalized', account: RECEIVER })
  for (let i = 0; i < 2; i++) {
    await wallet.send(RECEIVER)
    await wallet.mine()
  }
  const balances = (await take(begun?.cursor, 2)).map(({ state }) => BigInt((state as { balance: string }).balance))
  // One TON, less the rent of an account without code.
  expect((balances[1] ?? 0n) - (balances[0] ?? 0n)).toBeGreaterThan(999_999_000n)
  const silent = take(undefined, 100)
  end.abort()
  expect((await silent).length).toBeLessThan(100)
})

test('progress, where it is requested, has a cursor to resume from though nothing has come', async () => {
  const wallet = await ownWallet()
  const quiet = `0:${'CD'.repeat(32)}`
  const client = createClient({ url: service().url, stream })
  const first = async (wish: { progress?: boolean; after?: string | undefined }) => {
    for await (const one of client.stream({ types: ['account_state_change'], addresses: [quiet], ...wish })) return one
    return null
  }
  const begun = await first({ progress: true })
  expect(begun).toEqual({ type: 'progress', cursor: expect.any(String) })
  await wallet.send(quiet)
  await wallet.mine()
  const after = begun?.cursor
  expect(await first({ after })).toMatchObject({ type: 'account_state_change', account: quiet })
})

test('nothing comes after the signal, though it was received before', async () => {
  const end = new AbortController()
  const frames = [1, 2, 3].map(
    (seqno) => `event: event\ndata: ${JSON.stringify({ type: 'blocks', block: { seqno } })}\n\n`,
  )
  const found: StreamNotification[] = []
  const reply = new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } })
  const given = { fetch: () => Promise.resolve(reply), signal: end.signal }
  for await (const one of stream({ url: service().url, types: ['blocks'], ...given })) {
    found.push(one)
    if (found.length === 2) end.abort()
  }
  expect(found).toEqual([1, 2].map((seqno) => ({ type: 'blocks', block: { seqno } })))
})

test('a subscription that is refused ends it with the reason', async () => {
  // The cast: as JavaScript passes it, or a client of a newer service.
  const types = ['nothing'] as unknown as StreamType[]
  const refused = stream({ url: service().url, types }).next()
  await expect(refused).rejects.toThrow('invalid event type: nothing')
})

test('the wallet of the guide shows balance and history from its stream', async () => {
  const guide = guides.find(({ path }) => path.endsWith('/streams.md'))
  const { code = '' } = guide?.blocks.find((block) => block.code.includes('const history')) ?? {}
  const wallet = await ownWallet()
  const file = join(root, '.build', `wallet-${process.pid}.mjs`)
  writeFileSync(file, code)
  onTestFinished(() => rmSync(file))
  await using script = run(process.execPath, [file, service().url, RECEIVER])
  // Until its subscription is there, transfers pass it by.
  while (!script.stdout().includes('balance ')) {
    await wallet.send(RECEIVER)
    await wallet.mine()
  }
  /** Whether it shows what the newest block has. */
  const isSettled = async () => {
    const balance = await wallet.client.getAddressBalance({ address: RECEIVER })
    const last = `balance ${balance} finalized\nhistory ton_transfer finalized(, ton_transfer finalized)*\n$`
    return new RegExp(last).test(script.stdout()) || undefined
  }
  await eventually(isSettled)
  await wallet.send(RECEIVER)
  await eventually(() => script.stdout().endsWith('ton_transfer pending\n') || undefined)
  await wallet.mine()
  await eventually(isSettled)
  expect(script.stderr()).toBe('')
})
