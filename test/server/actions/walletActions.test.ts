// Shared and locked wallets, jettons in forms that no recorded trace has: flows made by hand.

import { describe, expect, test } from 'vitest'
import { type Builder, beginCell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, comment, known, type Step, typesOf } from './madeFlows.ts'

const USER = account('1')
const ORDER = account('2')
const MULTISIG = account('3')
const VESTING = account('4')
const SIGNER = account('5')
const OTHER = account('6')
const WALLET = account('7')
const MASTER = account('8')

describe('shared wallets', () => {
  const facts = { [ORDER]: known({ multisigOrder: { signers: [SIGNER, USER] } }) }
  const answer = (opcode: number, more: (body: Builder) => Builder = (body) => body): Step => ({
    from: ORDER,
    to: USER,
    body: more(call(opcode)).end(),
  })

  test('an order is approved by a word, which names no signer', () => {
    const approve: Step = { from: USER, to: ORDER, body: comment('approve'), leads: [answer(0x82609bf6)] }
    const actions = actionsOf(approve, facts)
    expect(typesOf(actions)[0]).toBe('multisig_approve')
    expect(actions[0]).toMatchObject({
      details: { signer_index: -1, exit_code: 0, source: USER, destination: ORDER },
      accounts: expect.arrayContaining([SIGNER, USER, ORDER]),
    })
    // Its parts are for those who do not know it.
    expect(new Set(actions.slice(1).map(({ ancestorTypes }) => ancestorTypes.join()))).toEqual(
      new Set(['multisig_approve']),
    )
  })

  test('one that is turned down says why', () => {
    const body = call(0xa762230f).storeUint(1, 8).end()
    const refused = answer(0xafaf283e, (rest) => rest.storeUint(107, 32))
    const [action] = actionsOf({ from: USER, to: ORDER, body, leads: [refused] }, facts)
    expect(action).toMatchObject({
      type: 'multisig_approve',
      success: false,
      details: { signer_index: 1, exit_code: 107 },
    })
    // Without an answer, or to an account that is no order, it is what it is.
    expect(typesOf(actionsOf({ from: USER, to: ORDER, body }, facts))).toEqual(['call_contract'])
    expect(typesOf(actionsOf({ from: USER, to: ORDER, body, leads: [refused] }))[0]).toBe('call_contract')
  })

  test('one that is carried out', () => {
    const order = beginCell().storeUint(5, 8).end()
    const head = call(0x75097f5d, 9n).storeUint(3n, 256).storeUint(2_000_000_000, 48).storeUint(2, 8)
    const body = head.storeBytes(Buffer.alloc(32, 6)).storeRef(order).end()
    const paid: Step = { from: MULTISIG, to: OTHER, value: 5n }
    const actions = actionsOf({ from: ORDER, to: MULTISIG, body, leads: [paid] }, facts)
    expect(actions.find(({ type }) => type === 'multisig_execute')).toMatchObject({
      success: true,
      details: {
        query_id: '9',
        order_seqno: '3',
        expiration_date: 2_000_000_000,
        approvals_num: 2,
        signers_hash: Buffer.alloc(32, 6).toString('base64'),
        order_boc: expect.stringMatching(/^te6ccg/),
        source: ORDER,
        destination: MULTISIG,
      },
    })
    // What it sends is no part of it.
    expect(actions.find(({ type }) => type === 'ton_transfer')?.ancestorTypes).toEqual([])
  })
})

describe('locked wallets', () => {
  test('send what they are ordered to, and report it', () => {
    const message = address(beginCell().storeUint(0b011000, 6), OTHER).storeCoins(25n).storeUint(0, 107).end()
    const body = call(0xa7733acd, 4n).storeUint(3, 8).storeRef(message).end()
    const done: Step = { from: VESTING, to: USER, body: call(0xf7733acd).end() }
    const paid: Step = { from: VESTING, to: OTHER, value: 25n }
    const send: Step = { from: USER, to: VESTING, body }
    const actions = actionsOf({ ...send, leads: [paid, done] })
    expect(actions.find(({ type }) => type === 'vesting_send_message')?.details).toEqual({
      query_id: '4',
      message_boc: expect.stringMatching(/^te6ccg/),
      source: USER,
      vesting: VESTING,
      destination: OTHER,
      amount: '25',
    })
    expect(actions.find(({ type }) => type === 'ton_transfer')?.ancestorTypes).toEqual([])
    expect(typesOf(actionsOf({ ...send, leads: [paid] }))).not.toContain('vesting_send_message')
    const dropped = actionsOf({ ...send, leads: [done] }).find(({ type }) => type === 'vesting_send_message')
    expect(dropped, 'nothing was sent').toMatchObject({ success: false, details: { destination: OTHER, amount: '25' } })
  })
})

describe('jettons', () => {
  const wallets = {
    [WALLET]: known({ jettonWallet: { owner: USER, jetton: MASTER } }),
    [OTHER]: known({ jettonWallet: { owner: SIGNER, jetton: MASTER } }),
  }
  const requested = (amount: bigint) =>
    address(address(call(0x0f8a7ea5, 5n).storeVarUint(amount, 16), SIGNER), USER)
      .storeBit(false)
      .storeVarUint(1n, 16)
      .storeBit(false)
      .end()
  const moved = (amount: bigint, others: Partial<Step> = {}): Step => ({
    from: WALLET,
    to: OTHER,
    body: call(0x178d4519).storeVarUint(amount, 16).storeUint(0, 8).end(),
    ...others,
  })

  test('that arrive, and that do not', () => {
    const notice: Step = { from: OTHER, to: SIGNER, body: call(0x7362d09c).end() }
    const excess: Step = { from: OTHER, to: USER, body: call(0xd53276db).end() }
    const actions = actionsOf(
      { from: USER, to: WALLET, body: requested(9n), leads: [moved(9n, { leads: [notice, excess] })] },
      wallets,
    )
    expect(typesOf(actions)).toEqual(['jetton_transfer'])
    expect(actions[0]?.details).toMatchObject({ asset: MASTER, sender: USER, receiver: SIGNER, amount: '9' })
    const failed = actionsOf(
      { from: USER, to: WALLET, body: requested(9n), leads: [moved(9n, { aborted: true })] },
      wallets,
    )
    expect(typesOf(failed)[0]).toBe('jetton_transfer failed')
  })

  test('name the account that an address means, and no text where no account has it', () => {
    const respondsTo = (store: (body: Builder) => Builder): unknown => {
      const body = store(address(call(0x0f8a7ea5).storeVarUint(9n, 16), OTHER))
        .storeBit(false)
        .storeVarUint(0n, 16)
      const sent = actionsOf({ from: USER, to: WALLET, body: body.storeBit(false).end(), leads: [moved(9n)] }, wallets)
      return sent[0]?.details.response_destination
    }
    const long = (bits: number, workchain: number) => (body: Builder) =>
      body
        .storeUint(0b110, 3)
        .storeUint(bits, 9)
        .storeInt(workchain, 32)
        .storeBytes(new Uint8Array(bits / 8).fill(0x55))
    expect(respondsTo(long(256, -1))).toBe(account('5', -1))
    expect(respondsTo(long(8, 0))).toBeNull()
    expect(respondsTo(long(256, 1000))).toBeNull()
    // Anycast replaces the first bits.
    const anycast = (body: Builder) =>
      body
        .storeUint(0b101, 3)
        .storeUint(4, 5)
        .storeUint(0xa, 4)
        .storeInt(0, 8)
        .storeBytes(new Uint8Array(32).fill(0x55))
    expect(respondsTo(anycast)).toBe(`0:A${'5'.repeat(63)}`)
  })

  test('that are burnt, or would have been', () => {
    const body = address(call(0x595f07bc).storeVarUint(7n, 16), USER).storeBit(false).end()
    const notice: Step = { from: WALLET, to: MASTER, body: call(0x7bdd97de).end() }
    const [burnt, ...others] = actionsOf({ from: USER, to: WALLET, body, leads: [notice] }, wallets)
    expect([burnt?.type, burnt?.success, others]).toEqual(['jetton_burn', true, []])
    expect(burnt?.details).toEqual({ owner: USER, owner_jetton_wallet: WALLET, asset: MASTER, amount: '7' })
    expect(typesOf(actionsOf({ from: USER, to: WALLET, body, aborted: true }, wallets))).toEqual(['jetton_burn failed'])
    // Of STON.fi v2, whose pools refuse a burn that names where its excesses go.
    const ofPool: Step = { from: WALLET, to: MASTER, body: call(0x297437cf).end() }
    const burn = (leads: readonly Step[]) =>
      typesOf(actionsOf({ from: USER, to: WALLET, body, leads }, wallets)).slice(0, 1)
    expect(burn([ofPool])).toEqual(['jetton_burn'])
    expect(burn([{ ...ofPool, aborted: true }])).toEqual(['jetton_burn failed'])
  })

  test('that were to be minted and were not', () => {
    const order = call(0x178d4519).storeVarUint(50n, 16).end()
    const body = address(call(0x15), USER).storeCoins(3n).storeRef(order).end()
    const [action] = actionsOf({ from: OTHER, to: MASTER, body, aborted: true }, wallets)
    expect(action).toMatchObject({
      type: 'jetton_mint',
      success: false,
      details: { asset: MASTER, receiver: USER, receiver_jetton_wallet: null, amount: '50', ton_amount: '3' },
    })
  })
})
