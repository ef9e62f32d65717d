// The life of a trace on a chain that is mined by hand, as subscribers of all kinds hear of it.

import { Address, beginCell } from '@ton/core'
import { expect, test } from 'vitest'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openEvents, openSocket, openWallet, shortOf } from '../../setup/streams.ts'

const RECEIVER = `0:${'AB'.repeat(32)}`
const MASTER_RECEIVER = `-1:${'CD'.repeat(32)}`

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
let opened: ReturnType<typeof openWallet> | null = null
const wallet = () => {
  opened ??= openWallet(service())
  return opened
}

const of = (frame: Frame, name: string) => frame[name] as readonly Frame[]
const TYPES = ['transactions', 'actions', 'account_state_change']
const LEVELS = ['pending', 'confirmed', 'finalized']

test('a transfer: predicted, in a block, in the index; each level to those who want it', async () => {
  const { raw, friendly, send, mine } = await wallet()
  const sender = await openSocket(service())
  // Another spelling of the same account is the same.
  const wish = { types: TYPES, addresses: [friendly, raw.toLowerCase(), ` ${raw} `], min_finality: 'pending' }
  expect(await sender.say('subscribe', wish)).toEqual({ id: 'own-0', status: 'subscribed' })
  const receiver = await openEvents(service(), { ...wish, addresses: [RECEIVER] })
  const final = await openEvents(service(), { types: TYPES, addresses: [raw] })
  const hash = await send(RECEIVER)
  const own = await openSocket(service())
  await sender.frames.first(({ type }) => type === 'actions')
  await own.say('subscribe', { types: ['trace'], trace_external_hash_norms: [hash], min_finality: 'pending' })
  await mine()
  const order = LEVELS.flatMap((level) =>
    TYPES.filter((type) => level !== 'pending' || type !== TYPES[2]).map((type) => `${type} ${level}`),
  )
  await eventually(() => (sender.notices().length >= order.length ? true : undefined))
  expect(sender.notices().map(shortOf)).toEqual(order)
  await eventually(() => (receiver.notices().length >= order.length ? true : undefined))
  expect(receiver.notices().map(shortOf)).toEqual(order)
  await eventually(() => (final.notices().length >= 3 ? true : undefined))
  expect(final.notices().map(shortOf)).toEqual(order.slice(-3))
  await eventually(() => (own.notices().length >= 3 ? true : undefined))
  // It was sent before: the first frame is what was known then.
  expect(own.notices().map(shortOf)).toEqual(LEVELS.map((level) => `trace ${level}`))

  const [pending, , confirmed] = sender.notices()
  for (const frame of sender.notices().filter(({ type }) => type !== TYPES[2]))
    expect(frame.trace_external_hash_norm).toBe(hash)
  expect(of(pending ?? {}, 'transactions')).toMatchObject([{ account: raw, emulated: true, finality: 'pending' }])
  expect(of(pending ?? {}, 'transactions')[0]).not.toHaveProperty('trace_id')
  expect(of(confirmed ?? {}, 'transactions')).toMatchObject([{ emulated: false, finality: 'confirmed' }])
  const theirs = receiver.notices()[0] ?? {}
  expect(of(theirs, 'transactions')).toMatchObject([{ account: RECEIVER, emulated: true }])
  expect(of(sender.notices()[1] ?? {}, 'actions')).toMatchObject([
    { type: 'ton_transfer', trace_id: null, finality: 'pending', accounts: expect.arrayContaining([raw, RECEIVER]) },
  ])
  // What is final can be read.
  const last = of(final.notices()[0] ?? {}, 'transactions')[0] ?? {}
  const read = (await ask(service(), `/api/v3/transactions?hash=${encodeURIComponent(String(last.hash))}`)).body
  expect(of(read, 'transactions')[0]).toMatchObject({ hash: last.hash, trace_id: last.trace_id, lt: last.lt })
  expect(of(read, 'transactions')[0]?.account_state_before).toEqual(last.account_state_before)
  const state = final.notices()[2]?.state as Frame
  expect(state).toEqual(of(read, 'transactions')[0]?.account_state_after)
  for (const frame of final.notices()) expect(Object.keys(frame).at(-1)).toBe('cursor')
  for (const frame of sender.notices()) expect('cursor' in frame).toBe(frame.finality === 'finalized')
  expect(final.raw.text).toMatch(/^event: connected\ndata: {"status":"subscribed"}\n\nid: \w+\nevent: event\ndata: {/)
})

test('a trace over several blocks is pending until its last block', async () => {
  const { raw, send, mine } = await wallet()
  const near = await openSocket(service())
  await near.say('subscribe', { types: ['transactions', 'actions'], addresses: [raw], min_finality: 'pending' })
  const far = await openSocket(service())
  await far.say('subscribe', { types: ['transactions'], addresses: [raw, MASTER_RECEIVER] })
  // It comes back from the masterchain, one block later.
  await send(MASTER_RECEIVER, { bounce: true })
  await near.frames.first(({ type }) => type === 'actions')
  await mine()
  await near.frames.first(({ transactions }) => (transactions as Frame[] | undefined)?.[1]?.finality === 'finalized')
  expect(far.notices()).toEqual([])
  await mine()
  const end = await far.frames.first(({ type }) => type === 'transactions')
  expect(of(end, 'transactions').map(({ account, finality }) => [account, finality])).toEqual([
    [raw, 'finalized'],
    [MASTER_RECEIVER, 'finalized'],
    [raw, 'finalized'],
  ])
  await near.frames.first(({ type, finality }) => type === 'actions' && finality === 'finalized')
  const published = near.notices().filter(({ type }) => type === 'transactions')
  expect(
    published.map((frame) => [frame.finality, ...of(frame, 'transactions').map(({ finality }) => finality)]),
  ).toEqual([
    ['pending', 'pending', 'pending'],
    // Its first part in a block, then in the index; the rest as it will come.
    ['pending', 'pending', 'confirmed'],
    ['pending', 'pending', 'finalized'],
    ['confirmed', 'confirmed', 'finalized'],
    ['finalized', 'finalized', 'finalized'],
  ])
})

test('of two messages for one seqno the second is withdrawn, to those who heard of it', async () => {
  const { raw, send, mine } = await wallet()
  const early = await openSocket(service())
  await early.say('subscribe', { types: ['transactions'], addresses: [raw], min_finality: 'pending' })
  const late = await openSocket(service())
  await late.say('subscribe', { types: ['transactions'], addresses: [raw] })
  const first = await send(RECEIVER, { comment: 'a' })
  const rival = await send(RECEIVER, { comment: 'b', again: true })
  await early.frames.first((frame) => frame.trace_external_hash_norm === rival)
  await mine()
  const gone = await early.frames.first(({ type }) => type === 'trace_invalidated')
  expect(gone).toEqual({ type: 'trace_invalidated', trace_external_hash_norm: rival })
  await late.frames.first((frame) => frame.trace_external_hash_norm === first)
  await early.frames.first(({ finality }) => finality === 'finalized')
  expect(late.notices().map(shortOf)).toEqual(['transactions finalized'])
  expect(early.notices().map(shortOf)).toEqual([
    'transactions pending',
    'transactions pending',
    'trace_invalidated',
    'transactions confirmed',
    'transactions finalized',
  ])
})

test('of many messages to one account only three are predicted, until one of them is in a block', async () => {
  const { raw, send, mine } = await wallet()
  const stream = await openSocket(service())
  const types = ['transactions', 'account_state_change']
  await stream.say('subscribe', { types, addresses: [raw, RECEIVER], min_finality: 'pending' })
  await send(RECEIVER, { comment: 'number 0' })
  for (let i = 1; i < 6; i++) await send(RECEIVER, { comment: `number ${i}`, again: true })
  await mine()
  await stream.frames.first(({ finality }) => finality === 'finalized')
  const predicted = () => stream.notices().filter(({ finality }) => finality === 'pending')
  expect(predicted()).toHaveLength(3)
  await send(RECEIVER)
  await eventually(() => (predicted().length === 4 ? true : undefined))
  await mine()
  // The last of the block: what comes after it is not heard by the next test.
  const received = () => stream.notices().filter((one) => one.account === RECEIVER && one.finality === 'finalized')
  await eventually(() => (received().length === 2 ? true : undefined))
})

test('names are changed on one connection: replaced as a whole, narrowed, silent', async () => {
  const { raw, send, mine } = await wallet()
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: TYPES, addresses: [raw, RECEIVER], min_finality: 'pending' })
  await stream.say('subscribe', { types: ['account_state_change'], addresses: [raw, RECEIVER] })
  expect(await stream.say('unsubscribe', { addresses: [raw, MASTER_RECEIVER] })).toMatchObject({
    status: 'unsubscribed',
  })
  const witness = await openSocket(service())
  await witness.say('subscribe', { types: ['account_state_change'], addresses: [raw] })
  await send(RECEIVER)
  await mine()
  await witness.frames.first(({ type }) => type === 'account_state_change')
  await stream.frames.first(({ type }) => type === 'account_state_change')
  expect(stream.notices().map(({ type, finality, account }) => [type, finality, account])).toEqual([
    ['account_state_change', 'finalized', RECEIVER],
  ])
  await stream.say('unsubscribe', { addresses: [RECEIVER] })
  await send(RECEIVER)
  await mine()
  await eventually(() => (witness.notices().length === 2 ? true : undefined))
  expect(stream.notices()).toHaveLength(1)
  expect(await stream.say('ping')).toMatchObject({ status: 'pong' })
})

test('jettons: both owners receive the balance that v3 has, and the wallet itself when it is named', async () => {
  const { raw, send, mine, client } = await wallet()
  const minted = client.dev.jetton({ address: raw, amount: '1000' })
  let isMinted = false
  void minted.finally(() => {
    isMinted = true
  })
  while (!isMinted) await mine()
  const { master, wallet: own } = await minted
  const types = ['jettons_change']
  const sender = await openSocket(service())
  await sender.say('subscribe', { types, addresses: [raw], min_finality: 'pending', include_metadata: true })
  const receiver = await openSocket(service())
  await receiver.say('subscribe', { types, addresses: [RECEIVER], include_address_book: true })
  const named = await openSocket(service())
  await named.say('subscribe', { types, addresses: [own] })
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(400)
    .storeAddress(Address.parse(RECEIVER))
    .storeAddress(null)
    .storeBit(0)
    .storeCoins(1)
    .storeBit(0)
    .endCell()
  await send(own, { comment: body, bounce: true })
  await mine()
  // What was minted may still come.
  const isOfTransfer = ({ type, jetton }: Frame) => type === 'jettons_change' && (jetton as Frame).balance !== '1000'
  const isFinal = (frame: Frame) => isOfTransfer(frame) && frame.finality === 'finalized'
  const [sent, received, other] = await Promise.all(
    [sender, receiver, named].map(({ frames }) => frames.first(isFinal)),
  )
  expect(sender.notices().filter(isOfTransfer).map(shortOf)).toEqual([
    'jettons_change confirmed',
    'jettons_change finalized',
  ])
  expect(sent?.jetton).toMatchObject({
    address: own.toUpperCase(),
    owner: raw,
    jetton: master.toUpperCase(),
    balance: '600',
  })
  expect(received?.jetton).toMatchObject({ owner: RECEIVER, balance: '400' })
  expect(other?.jetton).toEqual(sent?.jetton)
  expect(Object.keys(received?.address_book as Frame)).toEqual(expect.arrayContaining([RECEIVER, master.toUpperCase()]))
  expect(sent?.metadata).toMatchObject({ [master.toUpperCase()]: { token_info: [{ type: 'jetton_masters' }] } })
  for (const { jetton } of [sent ?? {}, received ?? {}]) {
    const { owner, last_transaction_lt } = jetton as Frame
    const { jetton_wallets } = (await ask(service(), `/api/v3/jetton/wallets?owner_address=${owner}`)).body
    expect(of({ jetton_wallets }, 'jetton_wallets')).toMatchObject([jetton])
    expect(last_transaction_lt).toMatch(/^\d+$/)
  }
})

test('blocks, names of accounts, and what a revert undoes', async () => {
  const { raw, send, mine, client } = await wallet()
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: ['blocks'] })
  const named = await openSocket(service())
  await named.say('subscribe', {
    types: ['transactions', 'actions'],
    addresses: [raw],
    include_address_book: true,
    include_metadata: true,
  })
  const { id } = await client.dev.snapshot()
  await send(RECEIVER)
  await mine()
  const { block } = (await stream.frames.first(({ type }) => type === 'blocks')) as { block: Frame }
  expect(block).toMatchObject({ workchain: -1, shard: '8000000000000000' })
  const named1 = await named.frames.first(({ type }) => type === 'transactions')
  expect(Object.keys(named1.address_book as Frame)).toEqual([raw, RECEIVER].sort())
  expect(named1.metadata).toEqual({})
  await client.dev.revert({ id })
  await mine()
  const reverted = await stream.frames.first(({ type }) => type === 'chain_reverted')
  expect(reverted).toEqual({ type: 'chain_reverted', mc_seqno: Number(block.seqno) - 1 })
  const again = await eventually(() =>
    stream
      .notices()
      .slice(stream.notices().indexOf(reverted))
      .find(({ type }) => type === 'blocks'),
  )
  expect((again.block as Frame).seqno).toBe(block.seqno)
  expect((again.block as Frame).root_hash).not.toBe(block.root_hash)
  await named.frames.first(({ type }) => type === 'chain_reverted')
})

test('a prediction without news is withdrawn after its time, and its blocks are reported all the same', async () => {
  await using own = await serve({
    withIndex: true,
    config: { mining: 'manual' },
    streamTimes: { predictedMs: 200, sweepMs: 50 },
  })
  const { raw, send, mine } = await openWallet(own)
  const stream = await openSocket(own)
  await stream.say('subscribe', { types: ['transactions'], addresses: [raw], min_finality: 'pending' })
  const named = await openSocket(own)
  await named.say('subscribe', { types: ['transactions'], addresses: [raw] })
  const hash = await send(RECEIVER)
  const withdrawn = await stream.frames.first(({ type }) => type === 'trace_invalidated')
  expect(withdrawn).toEqual({ type: 'trace_invalidated', trace_external_hash_norm: hash })
  await mine()
  await stream.frames.first(({ finality }) => finality === 'finalized')
  const levels = ['confirmed', 'finalized'].map((level) => `transactions ${level}`)
  expect(stream.notices().map(shortOf)).toEqual(['transactions pending', 'trace_invalidated', ...levels])
  await named.frames.first(({ finality }) => finality === 'finalized')
  // It has heard of no prediction, so of no withdrawal.
  expect(named.notices().map(shortOf)).toEqual(['transactions finalized'])
})
