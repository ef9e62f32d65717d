// Sending and waiting in one call, on a chain that is mined by hand: each end a message can come to, once.

import { Address, beginCell, Cell, external, internal, loadMessage, SendMode, storeMessage, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Client, createClient, RpcError } from '../../client/index.ts'
import { ask, type Body, call, connectTo, post, rpc, STRICT } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const RECEIVER = Address.parse(`0:${'AB'.repeat(32)}`)
const OVER_THERE = Address.parse(`-1:${'CD'.repeat(32)}`)
const PATH = '/api/v3/sendAndWait'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 120_000 })
const LONG = { timeout_ms: 30_000 }

let keys: Awaited<ReturnType<typeof mnemonicToPrivateKey>>
let wallet: WalletContractV4
let seqno = 0
/** Until when messages are good by default, on the clock of the chain. */
let valid = 0

beforeAll(async () => {
  const { accounts, utime } = await client().dev.state()
  valid = utime + 3600
  keys = await mnemonicToPrivateKey((accounts.find(({ kind }) => kind === 'v4r2')?.mnemonic ?? '').split(' '))
  wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  await client().dev.mine({})
})

interface Wished {
  readonly seqno?: number
  readonly timeout?: number
  readonly to?: Address
  readonly comment?: string
}

const bocOf = (cell: Cell): string => cell.toBoc().toString('base64')

function signed({ seqno: at = seqno, timeout = valid, to = RECEIVER, comment = 'soon' }: Wished = {}): string {
  const messages = [internal({ to, value: toNano(1), bounce: to === OVER_THERE, body: comment })]
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const body = wallet.createTransfer({ seqno: at, secretKey: keys.secretKey, sendMode, messages, timeout })
  const cell = beginCell().store(storeMessage(external({ to: wallet.address, body })))
  return bocOf(cell.endCell())
}

/** A message to be executed; those after it have the next seqno. */
function next(wished: Wished = {}): string {
  const boc = signed(wished)
  seqno++
  return boc
}

/** The same message with an import fee: other bytes, another hash, one message. */
function wrapped(boc: string): string {
  const { body } = loadMessage(Cell.fromBase64(boc).beginParse())
  const head = beginCell().storeUint(0b1000, 4).storeAddress(wallet.address).storeCoins(7)
  return bocOf(head.storeBit(0).storeBit(1).storeRef(body).endCell())
}

const pendingCount = async () => (await client().dev.state()).pending
const accepted = (count: number) => vi.waitFor(async () => expect(await pendingCount()).toBe(count), 300_000)
const mine = () => client().dev.mine({})
/** Repeats the call when its error asks for that: on a busy machine a block takes longer than one call may wait. */
async function sendAndWait(params: Parameters<Client['v3']['sendAndWait']>[0]) {
  for (;;)
    try {
      return await client().v3.sendAndWait({ ...params, ...LONG })
    } catch (error) {
      if (!(error instanceof RpcError && error.kind === 'messagePending')) throw error
    }
}
const failed = async (params: object): Promise<Body & { readonly status: number }> => {
  const { status, body } = await post(service(), PATH, params)
  return { ...body, status }
}
/** Calls again until the message has ended. */
const endOf = async (params: object): ReturnType<typeof failed> => {
  const end = await failed({ ...params, ...LONG })
  return end.status === 408 ? await endOf(params) : end
}

describe('a message', () => {
  test('pending, then confirmed and finalized by the same call repeated', async () => {
    const boc = next()
    const pending = await client().v3.sendAndWait({ boc, wait: 'pending', include_actions: true })
    expect(pending).toMatchObject({ status: 'pending', trace: { trace_id: null } })
    expect(pending.trace?.actions).toMatchObject([{ type: 'ton_transfer', finality: 'pending' }])
    const waiting = sendAndWait({ boc, wait: 'confirmed' })
    await mine()
    const confirmed = await waiting
    const finalized = await client().v3.sendAndWait({ boc, include_actions: true })
    expect(finalized).toMatchObject({
      status: 'finalized',
      message_hash: Cell.fromBase64(boc).hash().toString('base64'),
      message_hash_norm: pending.message_hash_norm,
      trace: { trace_info: { trace_state: 'complete', transactions: 2 } },
    })
    expect(finalized.trace?.actions).toMatchObject([{ type: 'ton_transfer', finality: 'finalized' }])
    expect(confirmed.message_hash_norm).toBe(pending.message_hash_norm)
    expect(Object.keys(finalized.trace?.transactions ?? {})).toEqual(
      expect.arrayContaining(finalized.trace?.transactions_order ?? ['none']),
    )
    expect(await pendingCount()).toBe(0)
  })

  test('is executed once, however often and in whatever form it is sent', async () => {
    const boc = next({ comment: 'once' })
    const calls = Array.from({ length: 20 }, (_, i) => ({ boc: i % 2 === 0 ? boc : wrapped(boc) }))
    const all = calls.map(sendAndWait)
    await accepted(1)
    await mine()
    const results = await Promise.all(all)
    expect(new Set(results.map(({ trace }) => trace?.trace_id)).size).toBe(1)
    expect(new Set(results.map(({ message_hash }) => message_hash)).size).toBe(2)
    expect(new Set(results.map(({ message_hash_norm }) => message_hash_norm)).size).toBe(1)
    const { messages } = await client().v3.messages({ msg_hash: [results[0]?.message_hash_norm ?? ''] })
    expect(messages).toHaveLength(1)
  })

  test('is confirmed before the rest of its trace is there', async () => {
    // It bounces there, and comes back in a later block.
    const boc = next({ to: OVER_THERE })
    const first = sendAndWait({ boc, wait: 'confirmed' })
    const last = sendAndWait({ boc, wait: 'finalized' })
    await accepted(1)
    await mine()
    const confirmed = await first
    expect(confirmed.status).toBe('confirmed')
    const shown = confirmed.trace?.transactions_order?.map((hash) => confirmed.trace?.transactions?.[hash]?.emulated)
    expect(shown).toEqual([false, false, true])
    const mined = (async () => {
      for (let i = 0; i < 6; i++) await mine()
    })()
    expect((await last).trace?.trace_info).toMatchObject({ trace_state: 'complete', transactions: 3 })
    await mined
  })
})

describe('a message that is lost', () => {
  test('refused, with its exit code explained', async () => {
    const refused = await failed({ boc: signed({ seqno: 99 }) })
    expect(refused).toMatchObject({ status: 400, exit_code: 33, message_hash_norm: expect.any(String) })
    expect(refused.error).toBe(
      `the contract refused the message with exit code 33: wrong seqno (the message has 99, the wallet expects ${seqno})`,
    )
    const overRpc = await rpc(service(), STRICT, 'v3.sendAndWait', { boc: signed({ seqno: 99 }) })
    expect(overRpc.body.error).toMatchObject({ data: { kind: 'messageRefused', sent: { exit_code: 33 } } })
  })

  test('expired before it was sent, and while it waited', async () => {
    const { status, error } = await failed({ boc: signed({ timeout: 1 }) })
    expect([status, error]).toEqual([410, expect.stringContaining('valid until 1 ')])
    const { utime: now } = await client().dev.state()
    const boc = signed({ timeout: now + 30 })
    const waiting = endOf({ boc })
    await accepted(1)
    await client().dev.increaseTime({ seconds: 60 })
    await mine()
    expect(await waiting).toMatchObject({ status: 410, error: expect.stringContaining('has expired') })
    expect(await failed({ boc })).toMatchObject({ status: 410 })
  })

  test('replaced by another message with its seqno', async () => {
    const [first, rival] = ['first', 'rival'].map((comment) => signed({ comment }))
    seqno++
    const [won, lost] = [first, rival].map((boc) => endOf({ boc }))
    await accepted(2)
    await mine()
    const ends = await Promise.all([won, lost])
    expect(ends.map((end) => end?.status).sort()).toEqual([200, 409])
    const replaced = ends.find((end) => end?.status === 409)
    const taken = ends.find((end) => end?.status === 200)
    expect(replaced?.replaced_by).toBe((taken?.trace as Record<string, unknown> | undefined)?.trace_id)
    expect(replaced?.error).toContain(`the wallet expects ${seqno} next`)
  })

  test('refused by a wallet v5 for another key', async () => {
    const { body } = await ask(service(), '/api/v3/masterchainInfo')
    const { global_id } = body.last as { global_id: number }
    const { accounts } = await client().dev.state()
    const mnemonic = accounts.find(({ kind }) => kind === 'v5r1')?.mnemonic ?? ''
    const { publicKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
    const v5 = WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: global_id } })
    const sendMode = SendMode.PAY_GAS_SEPARATELY
    const request = { seqno: 0, secretKey: keys.secretKey, sendMode, messages: [], timeout: valid }
    const message = beginCell().store(storeMessage(external({ to: v5.address, body: v5.createTransfer(request) })))
    const { error, exit_code } = await failed({ boc: bocOf(message.endCell()) })
    expect([error, exit_code]).toEqual([expect.stringContaining('invalid signature'), 135])
  })
})

describe('a wallet that is not deployed', () => {
  const fresh = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 3) })
  const messageTo = async (owned: WalletContractV4, secretKey: Buffer, withInit: boolean) => {
    const order = internal({ to: RECEIVER, value: 1n, bounce: false })
    const sendMode = SendMode.PAY_GAS_SEPARATELY
    const body = owned.createTransfer({ seqno: 0, secretKey, sendMode, messages: [order], timeout: valid })
    const message = external({ to: owned.address, body, ...(withInit ? { init: owned.init } : {}) })
    return bocOf(beginCell().store(storeMessage(message)).endCell())
  }

  test('is refused without its code, and without a balance', async () => {
    for (const withInit of [false, true]) {
      const answer = await failed({ boc: await messageTo(fresh, keys.secretKey, withInit), ...LONG })
      expect([answer.status, answer.error]).toEqual([400, expect.stringContaining('Failed to unpack account state')])
    }
  })

  test('is deployed by its first message once it has a balance', async () => {
    const { publicKey, secretKey } = await mnemonicToPrivateKey(Array.from({ length: 24 }, () => 'about'))
    const own = WalletContractV4.create({ workchain: 0, publicKey })
    const funded = client().dev.faucet({ address: own.address.toRawString(), amount: '1000000000' })
    await accepted(1)
    await mine()
    await funded
    const bare = await failed({ boc: await messageTo(own, secretKey, false), ...LONG })
    expect([bare.status, bare.error]).toEqual([400, expect.any(String)])
    const boc = await messageTo(own, secretKey, true)
    const waiting = sendAndWait({ boc })
    await accepted(1)
    await mine()
    expect(await waiting).toMatchObject({ status: 'finalized', trace: { trace_info: { transactions: 2 } } })
    // Now it is there, and the same message is known rather than refused.
    expect((await client().v3.sendAndWait({ boc })).status).toBe('finalized')
  })
})

describe('bounds', () => {
  test('a caller who leaves takes nothing with it: the message stays sent, its seat is free', async () => {
    const boc = next()
    const leave = new AbortController()
    const leaving = Array.from({ length: 300 }, async (_, i) => {
      const abort = new AbortController()
      const body = JSON.stringify({ boc, ...LONG })
      const signal = AbortSignal.any([abort.signal, leave.signal])
      const waiting = fetch(`${service().url}${PATH}`, { method: 'POST', body, signal })
      // One stays until the message was taken: a busy machine may have read nothing before the others left.
      if (i > 0) setTimeout(() => abort.abort(), 20 + (i % 50))
      await waiting.catch(() => undefined)
    })
    await accepted(1)
    leave.abort()
    await Promise.all(leaving)
    // More of them than a caller may have at once.
    const waiting = sendAndWait({ boc })
    await mine()
    expect((await waiting).status).toBe('finalized')
  })

  test('a time that ends just when a block has it: reached or to be called again, and executed once', async () => {
    const seen = new Set<number>()
    for (let i = 0; i < 12; i++) {
      const boc = next({ comment: `edge ${i}` })
      const timeout_ms = 150
      const ends = Array.from({ length: 8 }, (_, k) => failed({ boc, timeout_ms: timeout_ms + k * 15 }))
      await accepted(1)
      await new Promise((resolve) => setTimeout(resolve, 60 + i * 12))
      await mine()
      for (const { status, message_hash_norm, trace } of await Promise.all(ends)) {
        seen.add(status)
        expect([status, message_hash_norm]).toEqual([trace === undefined ? 408 : 200, expect.any(String)])
      }
      const { trace, message_hash_norm } = await sendAndWait({ boc })
      expect(trace?.trace_info).toMatchObject({ trace_state: 'complete', transactions: 2 })
      expect((await client().v3.messages({ msg_hash: [message_hash_norm] })).messages).toHaveLength(1)
    }
    expect([...seen].every((status) => status === 200 || status === 408)).toBe(true)
  })

  test('a call that waits too long gets the hashes, and the message stays sent', async () => {
    const boc = next()
    const late = await failed({ boc, timeout_ms: 100 })
    expect(late).toMatchObject({ status: 408, message_hash_norm: expect.any(String) })
    const waiting = sendAndWait({ boc })
    await mine()
    expect((await waiting).status).toBe('finalized')
  })

  test('waiting calls leave the lanes to others', async () => {
    const boc = next()
    const sockets = await Promise.all(Array.from({ length: 3 }, () => connectTo(service())))
    for (const socket of sockets) for (let i = 0; i < 20; i++) socket.send(call('v3.sendAndWait', { boc, ...LONG }, i))
    await accepted(1)
    // Sixty calls of one caller wait; a caller has sixteen lanes.
    expect((await client().getMasterchainInfo()).last.seqno).toBeGreaterThan(0)
    await mine()
    const answers = await Promise.all(sockets.flatMap((socket) => Array.from({ length: 20 }, () => socket.next())))
    expect(answers.map(({ ok }) => ok)).toEqual(Array.from({ length: 60 }, () => true))
    for (const socket of sockets) await socket[Symbol.asyncDispose]()
  })

  test.each([
    [{ boc: '' }, 422, 'boc'],
    [{ boc: 'AAAA' }, 422, 'is not an external message'],
    [{ boc: bocOf(Cell.EMPTY) }, 422, 'is not an external message'],
    [{ boc: bocOf(beginCell().storeUint(0, 4).endCell()) }, 422, 'is not an external message'],
    [{ wait: 'soon' }, 422, 'wait'],
    [{ timeout_ms: 99 }, 422, 'at least 100'],
    [{ timeout_ms: 30_001 }, 422, 'at most 30000'],
    [{ timeout_ms: 1.5 }, 422, 'whole number'],
  ])('error: %j', async (wrong, status, words) => {
    const answer = await failed({ boc: signed({ seqno: 98 }), ...wrong })
    expect([answer.status, answer.error]).toEqual([status, expect.stringContaining(words)])
  })

  test('error: an account that is not there', async () => {
    const message = external({ to: Address.parse(`0:${'99'.repeat(32)}`), body: Cell.EMPTY })
    const boc = bocOf(beginCell().store(storeMessage(message)).endCell())
    const answer = await failed({ boc })
    expect([answer.status, answer.error]).toEqual([400, expect.stringContaining('Failed to unpack account state')])
    const advice = expect.stringMatching(/does not exist.*send TON.*walletId/)
    await expect(client().v3.sendAndWait({ boc })).rejects.toMatchObject({ kind: 'messageRefused', advice })
  })
})

test('behavior: a message of a block that was reverted is in none, also before the index has followed', async () => {
  const { id } = await client().dev.snapshot({})
  const boc = signed({ comment: 'reverted' })
  await client().v3.sendAndWait({ boc, wait: 'pending' })
  await client().dev.mine({ blocks: 4 })
  await sendAndWait({ boc })
  await client().dev.revert({ id })
  const { status } = await failed({ boc, wait: 'confirmed', timeout_ms: 100 })
  // 503: the index takes long on a machine that does other things.
  expect([408, 503]).toContain(status)
})
