// Types of which no trace is stored, in flows made by hand as their contracts send them.

import { describe, expect, test } from 'vitest'
import { type Builder, beginCell, type Cell, hashToHex, sha256 } from '../../../server/cell/index.ts'
import { wellKnownAccounts } from '../../../server/interfaces/index.ts'
import { account, actionsOf, address, call, known, op, type Step, typesOf } from './madeFlows.ts'

const [USER, CLIENT, PROXY, CONTRACT, WALLET, OTHER] = ['1', '2', '3', '4', '5', '6'].map((digit) =>
  account(digit),
) as [...(readonly [string, string, string, string, string, string])]
const HASH = Buffer.alloc(32, 9)

describe('logs of the teleports of tgBTC, alone', () => {
  const TELEPORT = wellKnownAccounts.tgbtcTeleport.id
  const logOf = (writer: string, body: Cell): Step => ({
    from: USER,
    to: writer,
    body: call(0x12345678).end(),
    leads: [{ from: writer, to: null, body }],
  })
  const mint = address(op(0x77a80ef3).storeCoins(5n), USER).storeBytes(HASH).end()
  const key = address(op(0x27756729).storeCoins(6n).storeBytes(HASH), CONTRACT).end()
  const detailsOf = (writer: string, body: Cell, type: string) =>
    actionsOf(logOf(writer, body)).find((action) => action.type === type)?.details

  test('show an amount of a known one only', () => {
    expect(detailsOf(TELEPORT, mint, 'tgbtc_mint_fallback')).toMatchObject({ amount: '5', destination: USER })
    expect(detailsOf(OTHER, mint, 'tgbtc_mint_fallback')).toMatchObject({ amount: null, destination: null })
    const shown = { pubkey: HASH.toString('hex'), pegout: CONTRACT }
    expect(detailsOf(TELEPORT, key, 'tgbtc_new_key_fallback')).toMatchObject({ amount: '6', ...shown })
    expect(detailsOf(OTHER, key, 'tgbtc_new_key_fallback')).toMatchObject({ amount: null, ...shown })
  })
})

test('coins are held for a swap on swap.coffee, and sent back when it fails', () => {
  const [held] = actionsOf({ from: USER, to: CONTRACT, body: op(0x6bc79e7e).end(), value: 800n })
  const details = { source: USER, mev_contract: CONTRACT, asset: null, amount: '800' }
  expect(held).toMatchObject({ type: 'coffee_mev_protect_hold_funds', success: true, details })
  const fee = { from: USER, to: OTHER, body: op(0xc0ffeea0).end(), value: 45n }
  const hold = { from: USER, to: CONTRACT, body: op(0x6bc79e7e).end(), value: 800n }
  const ordered = { from: null, to: USER, body: call(0x52739133).end() }
  for (const leads of [
    [hold, fee],
    [fee, hold],
  ])
    expect(actionsOf({ ...ordered, leads }).map(({ type, ancestorTypes }) => [type, ancestorTypes.length])).toEqual([
      ['coffee_mev_protect_hold_funds', 0],
      ['call_contract', 1],
      ['call_contract', 1],
    ])
  // A wallet orders both at once.
  const twice = actionsOf({ ...ordered, leads: [hold, fee, { ...hold, value: 900n }, fee] })
  const whole = twice.filter(({ ancestorTypes }) => ancestorTypes.length === 0)
  expect(
    whole.filter(({ type }) => type === 'coffee_mev_protect_hold_funds').map(({ details: told }) => told),
  ).toMatchObject([{ amount: '800' }, { amount: '900' }])
  const back = actionsOf({ from: CONTRACT, to: USER, body: op(0xee51ce51).end(), value: 700n })
  expect(back[0]).toMatchObject({ type: 'coffee_mev_protect_failed_swap', success: true, details: {} })
})

test('a vault of swap.coffee whose jetton refuses the question for its wallet has failed', () => {
  const FACTORY = CONTRACT
  const VAULT = PROXY
  const question = { from: VAULT, to: OTHER, body: call(0x2c76b973).end() }
  const created = (...leads: Step[]): Step => ({
    from: USER,
    to: FACTORY,
    body: call(0xc0ffee06).storeUint(0, 2).end(),
    leads: [{ from: FACTORY, to: VAULT, body: op(0xc0ffee22).end(), leads }],
  })
  expect(typesOf(actionsOf(created()))[0]).toBe('coffee_create_vault')
  expect(typesOf(actionsOf(created(question)))[0]).toBe('coffee_create_vault')
  expect(typesOf(actionsOf(created({ ...question, aborted: true })))[0]).toBe('coffee_create_vault failed')
})

test('a payout of swap.coffee is what its receiver gets, and not a notice sent to another account before it', () => {
  const POOL = CONTRACT
  const VAULT = PROXY
  const HELPER = OTHER
  const ordered = (leads: readonly Step[]): Step => {
    const body = address(call(0xc0ffee21), USER).storeCoins(400n).storeBit(false).end()
    return { from: POOL, to: VAULT, body, leads }
  }
  const log = { from: POOL, to: null, body: call(0xc0ffee30).storeUint(0, 2).storeCoins(500n).storeCoins(400n).end() }
  const paid: Step = { from: VAULT, to: USER, body: call(0xc0ffee32).end(), value: 900n }
  const notice: Step = { from: VAULT, to: HELPER, body: call(0xc0ffee36).end(), value: 50n }
  const swapped = (leads: readonly Step[]) => {
    const inside: Step = { from: VAULT, to: POOL, body: call(0xc0ffee20).end(), leads: [log, ordered(leads)] }
    const body = call(0xc0ffee00).storeCoins(500n).end()
    return actionsOf({ from: CLIENT, to: VAULT, body, leads: [inside] }).find(({ type }) => type === 'jetton_swap')
  }
  expect(swapped([notice, paid])?.details.dex_outgoing_transfer).toMatchObject({ destination: USER, amount: '400' })
  // A vault of another currency pays that; the TON with it is for the way.
  for (const message of [paid, { ...notice, to: USER }])
    expect(swapped([{ ...message, extraCurrencies: { 7: '400' } }])?.details.dex_outgoing_transfer).toMatchObject({
      destination: USER,
      amount: null,
    })
  const only = { ...notice, to: USER, value: 900n }
  expect(swapped([only])?.details.dex_outgoing_transfer).toMatchObject({ destination: USER, amount: '900' })
})

describe('a liquidation in EVAA', () => {
  const header = (operation: number): Builder =>
    beginCell().storeCoins(1n).storeBit(false).storeUint(0, 2).storeUint(operation, 32)
  const questionOf = (collateral: Uint8Array): Cell =>
    address(beginCell().storeBytes(collateral).storeUint(1n, 64), USER).storeBytes(HASH).storeUint(60n, 64).end()
  const reward = (amount: bigint): Cell =>
    beginCell().storeUint(60n, 128).storeUint(0n, 128).storeBytes(HASH).storeUint(0n, 64).storeUint(amount, 64).end()
  const liquidation = (granted: bigint, paid: readonly Step[], collateral = HASH): Step => {
    const word: Step = { from: CLIENT, to: CONTRACT, body: header(0x311a).storeUint(0n, 64).end() }
    const satisfied = address(address(call(0x311), OTHER), USER)
      .storeRef(reward(granted))
      .end()
    const asked = header(0x31).storeUint(0n, 64).storeBit(false).storeBit(false).storeRef(questionOf(collateral)).end()
    const answer: Step = { from: CONTRACT, to: CLIENT, body: satisfied, leads: [word, ...paid] }
    return {
      from: USER,
      to: CLIENT,
      body: address(call(3), OTHER).end(),
      leads: [{ from: CLIENT, to: CONTRACT, body: asked, leads: [answer] }],
    }
  }
  const payment = (value: bigint): Step => ({ from: CLIENT, to: USER, body: call(0x311d).end(), value })

  test('shows the collateral that was paid, whatever was granted', () => {
    const [done] = actionsOf(liquidation(90n, [payment(100n)]))
    const details = { source: USER, borrower: OTHER, borrower_contract: CONTRACT, debt_amount: '60', amount: '90' }
    expect(done).toMatchObject({ type: 'evaa_liquidate', success: true, details })
    const [liar] = actionsOf(liquidation(10n ** 18n, [payment(100n)]))
    expect(liar).toMatchObject({ type: 'evaa_liquidate', success: true, details: { amount: '100' } })
    const [unpaid] = actionsOf(liquidation(90n, []))
    expect(unpaid).toMatchObject({ type: 'evaa_liquidate', success: false, details: { amount: null } })
  })

  test('shows the asset that was paid, whatever the master names', () => {
    const tokens = Buffer.from(hashToHex(sha256(Buffer.from('USDT'))), 'hex')
    const details = { collateral: null, asset: expect.stringMatching(/^0:/), is_known_asset: true, amount: '90' }
    expect(actionsOf(liquidation(90n, [payment(100n)], tokens))[0]).toMatchObject({ type: 'evaa_liquidate', details })
  })
})

test.each([
  ['as it is', 8n, 8],
  ['as digits where readers of JSON would round it', 2n ** 63n, '9223372036854775808'],
])(
  'jettons leave by LayerZero: the packet because of the transfer to the application; its number %s',
  (_, id, shown) => {
    const [ENDPOINT, CHANNEL, LIBRARY, ULN, MASTER] = ['A', 'B', 'C', 'D', 'E'].map((digit) => account(digit))
    const object = (): Builder => beginCell().storeUint(0n, 80).storeUint(0n, 256).storeUint(0n, 14)
    const path = object().storeUint(30343, 32).storeUint(1n, 256).storeUint(30101, 32).storeUint(2n, 256).end()
    const message = beginCell().storeBytes(Buffer.from('hello')).end()
    const packet = object().storeUint(4n, 64).storeUint(5n, 256).storeRef(path).storeRef(message).end()
    const fees = beginCell().storeUint(0n, 256).storeUint(300n, 128).storeUint(0n, 128).end()
    const request = object().storeUint(id, 64).storeUint(6n, 256).storeUint(7n, 256)
    const sent = request.storeRef(packet).storeRef(beginCell().end()).storeRef(fees).end()
    const receipt = object().storeRef(object().storeRef(sent).end()).end()
    const steps: readonly (readonly [opcode: number, to: string | undefined])[] = [
      [0xdd4ea3b4, ENDPOINT],
      [0x536feb09, CHANNEL],
      [0x4002b790, LIBRARY],
      [0x5de68393, ULN],
      [0x421c1a25, CHANNEL],
      [0xa2b5fbae, CLIENT],
    ]
    const last = address(call(0xa2b5fbae).storeCoins(0n), USER).storeRef(receipt).end()
    // What was paid too much goes back to whom the jettons came from.
    const excess: Step = { from: CLIENT, to: USER, body: beginCell().end(), value: 90n }
    const way = steps.reduceRight<Step[]>(
      (leads, [opcode, to = ''], at) => {
        const from = steps[at - 1]?.[1] ?? CLIENT
        return [{ from, to, body: opcode === 0xa2b5fbae ? last : call(opcode).end(), value: 400n, leads }]
      },
      [excess],
    )
    const moved = address(address(call(0x178d4519).storeCoins(25n), USER), USER)
      .storeCoins(1n)
      .storeBit(false)
      .end()
    const ordered = address(address(call(0x0f8a7ea5).storeCoins(25n), CLIENT), USER)
    const transfer: Step = {
      from: USER,
      to: WALLET,
      body: ordered.storeBit(false).storeCoins(1n).storeBit(false).end(),
      leads: [
        {
          from: WALLET,
          to: OTHER,
          body: moved,
          leads: [
            {
              from: OTHER,
              to: CLIENT,
              body: address(call(0x7362d09c).storeCoins(25n), USER).storeBit(false).end(),
              leads: [{ from: CLIENT, to: CLIENT, body: call(0xe33b9873).end() }, ...way],
            },
          ],
        },
      ],
    }
    const jetton = String(MASTER)
    const facts = {
      [WALLET]: known({ jettonWallet: { owner: USER, jetton } }),
      [OTHER]: known({ jettonWallet: { owner: CLIENT, jetton } }),
    }
    const [action, ...parts] = actionsOf(transfer, facts)
    expect(parts.map(({ ancestorTypes }) => ancestorTypes.includes('layerzero_send_tokens'))).not.toContain(false)
    expect(action).toMatchObject({
      type: 'layerzero_send_tokens',
      success: true,
      details: {
        sender: USER,
        oapp: CLIENT,
        asset: jetton,
        amount: '25',
        layerzero_send_data: {
          send_request_id: shown,
          native_fee: 300,
          endpoint: ENDPOINT,
          channel: CHANNEL,
          uln: ULN,
        },
        layerzero_packet_data: { nonce: 4, src_eid: 30343, dst_eid: 30101, message: '0x68656c6c6f' },
      },
    })
    // A contract that is no wallet sends the packet, and jettons that no wallet takes.
    const refused: Step = { from: WALLET, to: OTHER, body: moved, aborted: true }
    const types = typesOf(actionsOf({ ...transfer, leads: [refused, ...way] }, facts))
    expect(types).toEqual(expect.arrayContaining(['layerzero_send', 'jetton_transfer failed']))
  },
)

test('keys of tgBTC that one account sets again and again are as many actions', () => {
  const KEEPER = account('A')
  const dkgLog: Step = {
    from: KEEPER,
    to: null,
    body: op(0x453443a6).storeBytes(Buffer.alloc(40)).end(),
  }
  const keyLog: Step = { ...dkgLog, body: address(op(0x27756729).storeCoins(5n).storeUint(0, 256), KEEPER).end() }
  const set = (leads: readonly Step[]): Step => ({
    from: KEEPER,
    to: KEEPER,
    body: call(0x690f357a).end(),
    leads: [keyLog, dkgLog, ...leads],
  })
  const flow: Step = { from: USER, to: KEEPER, body: call(5).end(), leads: [dkgLog, set([set([])])] }
  const keys = actionsOf(flow).filter(
    ({ type, ancestorTypes }) => type === 'tgbtc_new_key' && ancestorTypes.length === 0,
  )
  expect(keys.length).toBe(2)
})
