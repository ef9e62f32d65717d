// What messages would do: emulated first, then sent for real on a chain that is mined by hand, and compared.

import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  external,
  internal,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from '@ton/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeBoc } from '../../server/cell/index.ts'
import { jettonMasterInit, onChainContent } from '../../server/demo/contracts/index.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'
import {
  CONNECT,
  commentCell,
  compiled,
  createScene,
  type Emulated,
  type Fields,
  fate,
  KINDS,
  type Kind,
  ordersOf,
  RECEIVER,
  rentOf,
  TRACE,
} from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const { client, emulated, refused, signed, walletOf, indexed } = createScene(service)

const COUNT = { one: 1, four: 4 } as const

const seqnos = new Map<Kind, number>()
const nextSeqno = (kind: Kind): number => seqnos.get(kind) ?? 0

async function mine(blocks = 1) {
  for (let i = 0; i < blocks; i++) await client().dev.mine({})
  await indexed()
}

/** The trace as it came, once the chain has all of it. */
async function minedTrace(hash: string) {
  for (let i = 0; i < 12; i++) {
    const { body } = await ask(service(), `/api/v3/traces${queryOf({ msg_hash: [hash] })}`)
    const [trace] = body.traces as readonly (Emulated & Fields)[]
    if (trace !== undefined) return trace
    await mine()
  }
  throw new Error('the trace does not end')
}

const rootOf = ({ trace, transactions }: Emulated): Fields => transactions[trace.tx_hash] ?? {}

const balanceOf = async (address: string): Promise<bigint> => BigInt(await client().getAddressBalance({ address }))

async function connectRequest(kind: Kind, count: number) {
  const { wallet } = await walletOf(kind)
  const messages = ordersOf(count).map(({ to, amount, comment }) => ({
    address: to,
    amount: String(amount),
    payload: commentCell(comment).toBoc().toString('base64'),
  }))
  return { from: wallet.address.toRawString(), messages }
}

const ROOM_S = 600_000

/** Sends itself so many messages for each. */
const endless = (copies: number) => `
tolk 1.3
fun onInternalMessage(in: InMessage) {
    repeat (${copies}) {
        val again = createMessage({ bounce: false, value: ton("0.02"), dest: contract.getAddress() });
        again.send(SEND_MODE_PAY_FEES_SEPARATELY);
    }
}
`

beforeAll(indexed, ROOM_S)

describe.each(KINDS)('a request for a wallet %s', (kind) => {
  test.each(Object.values(COUNT))(
    'with %i messages leads to what it leads to when it is signed and sent',
    async (count) => {
      const orders = ordersOf(count)
      const { from, messages } = await connectRequest(kind, count)
      const { boc, hash } = await signed(kind, nextSeqno(kind), orders)
      // The time of the block to come, set by hand, is that of the emulation.
      const unixtime = (await client().dev.state()).utime + 5
      await client().dev.setNextBlockTime({ utime: unixtime })
      const wished = { unixtime, with_actions: true, include_balance_changes: true }
      const said = await emulated(CONNECT, { from, messages, ...wished })
      const before = await balanceOf(from)
      await client().sendBoc({ boc })
      seqnos.set(kind, nextSeqno(kind) + 1)
      const real = await minedTrace(hash)
      expect(fate(said.trace, said.transactions)).toEqual(fate(real.trace, real.transactions))
      // Rent depends on when later blocks are made.
      const ton = BigInt(said.balance_changes[from.toUpperCase()]?.ton ?? 0)
      const gained = (await balanceOf(from)) - before
      expect(ton + rentOf(from, said.transactions)).toBe(gained + rentOf(from, real.transactions))
      const listed = await ask(service(), `/api/v3/actions${queryOf({ trace_id: [real.trace_id] })}`)
      const kindsOf = (actions: readonly Fields[]) => actions.map(({ type, success }) => `${type} ${success}`).sort()
      expect(kindsOf(said.actions)).toEqual(kindsOf(listed.body.actions as readonly Fields[]))
      for (const action of said.actions) expect(action).toMatchObject({ trace_id: null, finality: 'pending' })
      expect(said.is_incomplete).toBe(false)
    },
    ROOM_S,
  )
})

describe('a signed message', () => {
  test(
    'is emulated as it is, twice the same; a wrong signature counts only when it is to count',
    async () => {
      const seqno = nextSeqno('v4r2')
      const { boc, hash } = await signed('v4r2', seqno, ordersOf(1))
      const first = await emulated(TRACE, { boc })
      expect(await emulated(TRACE, { boc })).toEqual(first)
      for (const one of Object.values(first.transactions))
        expect(one).toMatchObject({
          emulated: true,
          finality: 'pending',
          trace_external_hash: hash,
          mc_block_seqno: first.mc_block_seqno + 1,
          account_state_before: { balance: expect.any(String) },
          account_state_after: { balance: expect.any(String) },
        })
      const wrong = await signed('v4r2', seqno, ordersOf(1), Buffer.alloc(64, 7))
      const [status, text] = await refused(TRACE, { boc: wrong.boc })
      expect([status, text]).toEqual([422, 'failed to emulate shard block: EmulationExternalNotAccepted: 35'])
      const accepted = await emulated(TRACE, { boc: wrong.boc, ignore_chksig: true })
      expect(fate(accepted.trace, accepted.transactions)).toEqual(fate(first.trace, first.transactions))
    },
    ROOM_S,
  )

  test(
    'the trace of an internal message begins with its arrival, also without a sender',
    async () => {
      const { wallet } = await walletOf('v4r2')
      const message = internal({ to: wallet.address, value: toNano(2), bounce: false, body: commentCell('in') })
      const cell = beginCell().store(storeMessageRelaxed(message)).endCell()
      const said = await emulated(TRACE, { boc: cell.toBoc().toString('base64'), include_balance_changes: true })
      const [only] = Object.values(said.transactions)
      expect(only).toMatchObject({
        account: wallet.address.toRawString().toUpperCase(),
        in_msg: { value: '2000000000' },
      })
      expect(only?.trace_external_hash).toBe(cell.hash().toString('base64'))
    },
    ROOM_S,
  )

  test(
    'runs on the state of a block of the past',
    async () => {
      const at = (await client().getMasterchainInfo()).last.seqno
      const { wallet } = await walletOf('v3r2')
      const from = wallet.address.toRawString()
      const before = await balanceOf(from)
      await client().dev.faucet({ address: from, amount: '5000000000' })
      await mine(3)
      const messages = [{ address: RECEIVER, amount: '1' }]
      const stateOf = async (more: Fields) => {
        const said = await emulated(CONNECT, { from, messages, ...more })
        const { account_state_before } = rootOf(said)
        return [said.mc_block_seqno, (account_state_before as Fields).balance]
      }
      expect(await stateOf({ mc_block_seqno: at })).toEqual([at, String(before)])
      expect((await stateOf({}))[1]).toBe(String(await balanceOf(from)))
      expect(await balanceOf(from)).toBeGreaterThan(before)
    },
    ROOM_S,
  )

  test(
    'runs on states and a configuration that differ from the block as the request says',
    async () => {
      const { wallet } = await walletOf('v4r2')
      const from = wallet.address.toRawString()
      const messages = [{ address: RECEIVER, amount: '1' }]
      const poor = { from, messages, state_overrides: { [from]: { balance: '1000' } } }
      expect(await refused(CONNECT, poor)).toEqual([422, expect.stringMatching(/EmulationExternalNotAccepted/)])
      const rich = rootOf(await emulated(CONNECT, { ...poor, state_overrides: { [from]: { balance: '5000000000' } } }))
      expect(rich).toMatchObject({ account_state_before: { balance: '5000000000' }, description: { aborted: false } })
      const unknown = { ...poor, state_overrides: { nothing: { balance: '1' } } }
      expect(await refused(CONNECT, unknown)).toEqual([400, expect.stringMatching(/state_overrides/)])
    },
    ROOM_S,
  )

  test(
    'shows the log of the TVM, code and data on request',
    async () => {
      const { boc } = await signed('v4r2', nextSeqno('v4r2'), ordersOf(1))
      const said = await emulated(TRACE, { boc, include_vm_log: 'all', include_code_data: true })
      const logs = said.vm_logs as Readonly<Record<string, string>>
      expect(logs[said.trace.tx_hash]).toMatch(/execute SETCP/)
      const { code_hash } = rootOf(said).account_state_after as Fields
      const code = (said.code_cells as Readonly<Record<string, string>>)[String(code_hash)] ?? ''
      expect(Cell.fromBase64(code).hash().toString('base64')).toBe(code_hash)
      const quiet = await emulated(TRACE, { boc })
      for (const name of ['vm_logs', 'code_cells', 'data_cells', 'address_book', 'metadata', 'balance_changes'])
        expect(quiet).not.toHaveProperty(name)
    },
    ROOM_S,
  )
})

describe('contracts that are made up for a request', () => {
  /** Checks a signature in the transaction it is called in and, by a message to itself, in the next one. */
  const signatures = `
tolk 1.3
import "@stdlib/gas-payments"
fun check(rest: slice) {
    val signature = rest.loadBits(512);
    assert (isSignatureValid(0, signature, 1)) throw 50;
}
fun onExternalMessage(rest: slice) {
    check(rest);
    acceptExternalMessage();
    val again = createMessage({ bounce: false, value: ton("0.5"), dest: contract.getAddress(), body: rest });
    again.send(SEND_MODE_PAY_FEES_SEPARATELY);
}
fun onInternalMessage(in: InMessage) {
    check(in.body);
}
`

  test(
    'a signature is taken as valid in the first transaction only',
    async () => {
      const code = (await compiled(signatures)).toBoc().toString('base64')
      const state_overrides = {
        [RECEIVER]: { code, data: new Cell().toBoc().toString('base64'), balance: '5000000000' },
      }
      const body = beginCell().storeBuffer(Buffer.alloc(64, 1)).endCell()
      const message = external({ to: Address.parse(RECEIVER), body })
      const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
      const refusal = [422, 'failed to emulate shard block: EmulationExternalNotAccepted: 50']
      // One that never ends has used up its gas.
      const endless = beginCell().storeBuffer(Buffer.from('ff009100ea', 'hex')).endCell().toBoc().toString('base64')
      const looping = { [RECEIVER]: { ...state_overrides[RECEIVER], code: endless } }
      expect(await refused(TRACE, { boc, state_overrides: looping })).toEqual([
        422,
        `${refusal[1]}`.replace('50', '-14 (out of gas before the contract accepted the message)'),
      ])
      expect(await refused(TRACE, { boc, state_overrides })).toEqual(refusal)
      const said = await emulated(TRACE, { boc, state_overrides, ignore_chksig: true })
      const first = fate(said.trace, said.transactions)
      expect(first).toMatchObject({ exit_code: 0, children: [{ exit_code: 50, aborted: true, children: [] }] })
      expect(rootOf(said).account_state_before).toMatchObject({ balance: '5000000000', account_status: 'active' })
      // Nothing of it is kept.
      expect(await balanceOf(RECEIVER)).toBeLessThan(5_000_000_000n)
    },
    ROOM_S,
  )

  test('an account is made up whose balance gets a byte shorter', async () => {
    // The code accepts every message.
    const code = beginCell().storeUint(0xf800, 16).endCell().toBoc().toString('base64')
    const data = Cell.EMPTY.toBoc().toString('base64')
    const message = external({ to: Address.parse(RECEIVER) })
    const boc = beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
    const said = await emulated(TRACE, {
      boc,
      state_overrides: { [RECEIVER]: { code, data, balance: `${2n ** 32n}` } },
    })
    expect(rootOf(said)).toMatchObject({ description: { aborted: false } })
    expect(rootOf(said).account_state_after).toMatchObject({ balance: expect.stringMatching(/^429\d{7}$/) })
  })

  test('an account is made up to be gone, whatever it holds', async () => {
    const { wallet } = await walletOf('v4r2')
    const message = internal({ to: wallet.address, value: toNano(1), bounce: false })
    const boc = beginCell().store(storeMessageRelaxed(message)).endCell().toBoc().toString('base64')
    const gone = { [wallet.address.toRawString()]: { status: 'nonexist' } }
    expect(rootOf(await emulated(TRACE, { boc })).orig_status).toBe('active')
    const root = rootOf(await emulated(TRACE, { boc, state_overrides: gone }))
    expect(root).toMatchObject({ orig_status: 'nonexist', account_state_after: { balance: '1000000000' } })
  })

  test(
    'a jetton that the trace deploys is described by its own content',
    async () => {
      const { wallet } = await walletOf('v4r2')
      const admin = { workchain: 0, hash: wallet.address.hash }
      const content = onChainContent({ name: 'New One', symbol: 'NEW', decimals: '6' })
      const made = jettonMasterInit({ admin, content })
      const cellOf = (boc: Uint8Array) => Cell.fromBoc(Buffer.from(boc))[0] ?? new Cell()
      const init = { code: cellOf(writeBoc(made.code)), data: cellOf(writeBoc(made.data)) }
      const master = contractAddress(0, init)
      const message = internal({ to: master, value: toNano(1), bounce: false, init })
      const boc = beginCell().store(storeMessageRelaxed(message)).endCell().toBoc().toString('base64')
      const raw = master.toRawString().toUpperCase()
      const said = await emulated(TRACE, { boc, include_metadata: true })
      const { [raw]: own } = said.metadata as Readonly<Record<string, Fields>>
      const extra = expect.objectContaining({ decimals: '6' })
      const row = { type: 'jetton_masters', name: 'New One', symbol: 'NEW', extra }
      expect(own).toEqual({ is_indexed: false, token_info: [row] })
      const { body } = await ask(service(), `/api/v3/metadata${queryOf({ address: [raw] })}`)
      expect(body).not.toHaveProperty([raw])
    },
    ROOM_S,
  )

  test(
    'fifty at once hold up no other caller',
    async () => {
      const request = await connectRequest('v4r2', 4)
      let done = 0
      const all = Array.from({ length: 50 }, async () => {
        const said = await emulated(CONNECT, { ...request, with_actions: true })
        done++
        return Object.keys(said.transactions).length
      })
      const { exit_code } = await client().runGetMethod({ address: request.from, method: 'seqno' })
      expect(exit_code).toBe(0)
      expect(done).toBeLessThan(50)
      // Four transfers, and what comes back from accounts without code.
      expect(new Set(await Promise.all(all))).toEqual(new Set([9]))
    },
    ROOM_S,
  )
})

describe('contracts without end', () => {
  test.each([
    ['a contract that sends itself one message after the other', 1, 32],
    ['a contract that sends itself ten for each', 10, 256],
  ])(
    '%s is followed so far and not further',
    async (_, copies, most) => {
      const init = { code: await compiled(endless(copies)), data: new Cell() }
      const to = contractAddress(0, init)
      const message = internal({ to, value: toNano(100), bounce: false, init })
      const boc = beginCell().store(storeMessageRelaxed(message)).endCell().toBoc().toString('base64')
      const said = await emulated(TRACE, { boc })
      expect(said.is_incomplete).toBe(true)
      expect(Object.keys(said.transactions)).toHaveLength(most)
      const plain = beginCell()
        .store(storeMessageRelaxed(internal({ to: RECEIVER, value: 1n, bounce: false })))
        .endCell()
      const both = await emulated(TRACE, { messages: [boc, plain.toBoc().toString('base64')] })
      expect(both.is_incomplete).toBe(true)
    },
    ROOM_S,
  )
})

test('a message can be emulated after those that are sent and not mined yet', async () => {
  const seqno = nextSeqno('v4r2')
  const first = await signed('v4r2', seqno, ordersOf(1))
  const second = await signed('v4r2', seqno + 1, ordersOf(2))
  const refusal = [422, 'failed to emulate shard block: EmulationExternalNotAccepted: 33']
  expect(await refused(TRACE, { boc: second.boc, after_pending: true })).toEqual(refusal)
  await client().sendBoc({ boc: first.boc })
  expect(await refused(TRACE, { boc: second.boc })).toEqual(refusal)
  const predicted = await emulated(TRACE, { boc: second.boc, after_pending: true, include_balance_changes: true })
  expect(predicted.trace.children).toHaveLength(2)
  // A wallet's request, too: its seqno is the one after them.
  const connected = await emulated(CONNECT, { ...(await connectRequest('v4r2', 2)), after_pending: true })
  expect(fate(connected.trace, connected.transactions)).toEqual(fate(predicted.trace, predicted.transactions))
  expect(rootOf(connected).account_state_before).toEqual(rootOf(predicted).account_state_before)
  expect(await refused(TRACE, { boc: second.boc, after_pending: true, mc_block_seqno: 1 })).toEqual([
    400,
    expect.stringContaining('leave out mc_block_seqno'),
  ])
  await mine()
  await client().sendBoc({ boc: second.boc })
  await mine()
  seqnos.set('v4r2', seqno + 2)
  const real = await minedTrace(second.hash)
  expect(fate(predicted.trace, predicted.transactions)).toEqual(fate(real.trace, real.transactions))
})
