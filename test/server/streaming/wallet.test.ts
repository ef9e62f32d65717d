// A wallet that knows the chain by its stream alone, over a network that comes and goes: in the end it shows what v3 has.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Address, beginCell } from '@ton/core'
import { expect, onTestFinished, test } from 'vitest'
import { stream } from '../../../client/ws.ts'
import { ask } from '../../setup/calls.ts'
import { cuttableProxy } from '../../setup/cuttableProxy.ts'
import { gaugeOf } from '../../setup/gauge.ts'
import { Random } from '../../setup/random.ts'
import { forAllTests, serve, type TestService } from '../../setup/service.ts'
import { eventually, type Frame, openWallet } from '../../setup/streams.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const OVER_THERE = `-1:${'CD'.repeat(32)}`
/** `WALLET_S=600` makes it a longer run. */
const TRAFFIC_S = Number(process.env.WALLET_S ?? 10)

const service = forAllTests(() =>
  serve({
    withIndex: true,
    config: { mining: 'manual' },
    limits: { streamKeepaliveMs: 100 },
    streamTimes: { predictedMs: 2_000, sweepMs: 100 },
  }),
)

async function unreliable({ port }: TestService) {
  const proxy = await cuttableProxy(port)
  onTestFinished(() => proxy.close())
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` }
}

/** What it shows. */
function openView(url: string, account: string) {
  const end = new AbortController()
  const shown = {
    balance: '',
    jettons: new Map<unknown, unknown>(),
    history: new Map<unknown, Frame>(),
    heard: 0,
    finalized: [] as Frame[],
  }
  const take = (one: Frame): void => {
    shown.heard++
    if (one.finality === 'finalized') shown.finalized.push(one)
    if (one.type === 'account_state_change') shown.balance = String((one.state as Frame).balance)
    if (one.type === 'jettons_change') shown.jettons.set((one.jetton as Frame).jetton, (one.jetton as Frame).balance)
    if (one.type === 'actions') shown.history.set(one.trace_external_hash_norm, one)
    if (one.type === 'trace_invalidated') shown.history.delete(one.trace_external_hash_norm)
  }
  const types = ['actions', 'account_state_change', 'jettons_change', 'transactions'] as const
  const wish = { types, addresses: [account], min_finality: 'pending', silenceMs: 1_000 } as const
  const reading = (async () => {
    for await (const one of stream({ url, ...wish, signal: end.signal })) take(one)
  })()
  onTestFinished(async () => {
    end.abort()
    await reading
  })
  return shown
}

const subscriptions = (): Promise<number> => gaugeOf(service(), 'tonrpc_stream_subscriptions')

test('cut off before it has heard anything, or by a network that is gone without a sign, it misses nothing', async () => {
  const wallet = await openWallet(service())
  const network = await unreliable(service())
  /** Chunks that came after the one with its place; null before that. */
  let later: number | null = null
  network.watch((chunk) => {
    if (later !== null) later++
    else if (chunk.includes('"type":"progress"')) later = 0
  })
  const shown = openView(network.url, RECEIVER)
  for (const fault of ['cut', 'hang'] as const) {
    await eventually(async () => ((await subscriptions()) === 1 ? true : undefined))
    // One that came two chunks ago was read: both ends are in this process.
    await eventually(() => (later ?? 0) >= 2 || undefined)
    const before = shown.finalized.length
    network[fault]()
    later = null
    await wallet.send(RECEIVER)
    await wallet.mine()
    await sleep(1_500)
    network.heal()
    await eventually(() => (shown.finalized.length >= before + 3 ? true : undefined))
  }
  const types = shown.finalized.map(({ type }) => type)
  expect(types).toEqual([...types.slice(0, 3), ...types.slice(0, 3)])
})

test('after random traffic it shows the balances and the history that v3 has', {
  timeout: (TRAFFIC_S + 600) * 1000,
}, async () => {
  await using own = await serve({
    withIndex: true,
    config: { mining: 'manual' },
    limits: { streamKeepaliveMs: 100 },
    streamTimes: { predictedMs: 2_000, sweepMs: 100 },
  })
  const wallet = await openWallet(own)
  const { raw, client, send, mine } = wallet
  const network = await unreliable(own)
  const shown = openView(network.url, raw)
  const minted = client.dev.jetton({ address: raw, amount: '1000000' })
  let isMinted = false
  void minted.finally(() => {
    isMinted = true
  })
  while (!isMinted) await mine()
  const { wallet: jettonWallet } = await minted
  const jettons = (amount: number) =>
    beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(0, 64)
      .storeCoins(amount)
      .storeAddress(Address.parse(RECEIVER))
      .storeAddress(Address.parse(raw))
      .storeBit(0)
      .storeCoins(1)
      .storeBit(0)
      .endCell()
  const random = new Random(7)
  const step = async (): Promise<void> => {
    const kind = random.below(8)
    if (kind < 2) await send(RECEIVER, { comment: `number ${random.below(1000)}` })
    if (kind === 2) await send(OVER_THERE, { bounce: true })
    if (kind === 3) await send(jettonWallet, { comment: jettons(1 + random.below(9)), bounce: true })
    // Two for one place: only one of them happens.
    if (kind === 4) {
      await send(RECEIVER, { comment: 'first' })
      await send(RECEIVER, { comment: 'rival', again: true })
    }
    if (kind === 5) network.cut()
    if (kind === 6) network.hang()
    if (kind === 7) network.heal()
    // A message that has not been mined holds up those behind it.
    if (kind < 5) await mine(1 + random.below(3))
    else await sleep(random.below(300))
  }
  let steps = 0
  // A slow machine does as many, in more time.
  for (const end = Date.now() + TRAFFIC_S * 1000; Date.now() < end || steps < 2 * TRAFFIC_S; steps++) await step()
  network.heal()
  const { seqno } = await mine(6)
  await untilIndexed(client, seqno)
  const { balance } = await client.getAddressInformation({ address: raw })
  const rowsOf = async (path: string, name: string): Promise<Frame[]> => {
    const all: Frame[] = []
    for (let size = -1; size !== all.length; ) {
      size = all.length
      const { body } = await ask(own, `${path}&limit=100&offset=${size}&sort=asc`)
      all.push(...(body[name] as Frame[]))
    }
    return all
  }
  const last = (await rowsOf(`/api/v3/transactions?account=${encodeURIComponent(raw)}`, 'transactions')).at(-1)
  const settled = () =>
    shown.finalized.some(({ transactions }) =>
      (transactions as Frame[] | undefined)?.some((row) => row.hash === last?.hash),
    )
  await eventually(() => settled() || undefined, 'the last transaction was not heard')
  await eventually(() => shown.balance === balance || undefined, `shows ${shown.balance}, not ${balance}`)
  const { body } = await ask(own, `/api/v3/jetton/wallets?owner_address=${encodeURIComponent(raw)}`)
  const held = (body.jetton_wallets as Frame[]).map((row) => [row.jetton, row.balance])
  await eventually(() => isDeepStrictEqual([...shown.jettons], held) || undefined, `not ${JSON.stringify(held)}`)
  const idsOf = (rows: readonly Frame[]) => rows.map(({ action_id, type }) => `${type} ${action_id}`).sort()
  const known = await rowsOf(`/api/v3/actions?account=${encodeURIComponent(raw)}`, 'actions')
  const history = () => idsOf([...shown.history.values()].flatMap(({ actions }) => actions as Frame[]))
  const areFinal = () => [...shown.history.values()].every(({ finality }) => finality === 'finalized')
  // What was predicted and never happened is withdrawn in time.
  const isWhole = () => (history().length === known.length && areFinal()) || undefined
  await eventually(isWhole, () => `history has ${history().length}`)
  expect(history()).toEqual(idsOf(known))
  const heard = shown.finalized.flatMap(({ transactions }) => (transactions as Frame[] | undefined) ?? [])
  expect(new Set(heard.map(({ hash }) => hash)).size).toBe(heard.length)
  expect(heard.length).toBeGreaterThan(TRAFFIC_S / 2)
})
