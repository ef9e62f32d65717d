// Elections, stakes and subscriptions, in flows made by hand as their contracts send them.

import { describe, expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { wellKnownAccounts } from '../../../server/interfaces/index.ts'
import { account, actionsOf, address, call, comment, known, type Step, typesOf } from './madeFlows.ts'

const ELECTOR = account('3', -1)
const USER = account('1')
const POOL = account('2')
const MASTER = account('4')
const WALLET = account('5')
const OTHER = account('6')

describe('elections', () => {
  const request = (value: bigint, leads: readonly Step[]): Step => ({
    from: USER,
    to: ELECTOR,
    body: call(0x4e73744b).end(),
    value,
    leads,
  })

  test('a stake that the elector confirms', () => {
    const answer = { from: ELECTOR, to: USER, body: call(0xf374484c).end(), value: 5n }
    const actions = actionsOf(request(700n, [answer]))
    expect(typesOf(actions)).toEqual(['election_deposit'])
    expect(actions[0]).toMatchObject({ details: { stake_holder: USER, amount: '700' }, ancestorTypes: [] })
    expect([...(actions[0]?.accounts ?? [])].sort()).toEqual([ELECTOR, USER].sort())
    expect(actions[0]?.transactions).toHaveLength(2)
  })

  test('one that it sends back has failed, and so has what is not answered', () => {
    const back = { from: ELECTOR, to: USER, body: call(0xee6f454c).end() }
    expect(typesOf(actionsOf(request(700n, [back])))).toEqual(['election_deposit failed', 'call_contract'])
    expect(typesOf(actionsOf(request(700n, [])))).toEqual(['election_deposit failed'])
  })

  test('one without a query id is taken and not confirmed', () => {
    const offer = (queryId: bigint) => {
      const body = call(0x4e73744b, queryId).storeUint(1n, 256).storeUint(2, 32).storeUint(3, 32).storeUint(4n, 256)
      return { ...request(700n, []), body: body.storeRef(beginCell().storeBytes(new Uint8Array(64)).end()).end() }
    }
    const [taken] = actionsOf(offer(0n))
    expect(taken).toMatchObject({ type: 'election_deposit', success: true, details: { amount: '700' } })
    expect(typesOf(actionsOf({ ...offer(0n), aborted: true }))).toEqual(['election_deposit failed'])
    const back = { from: ELECTOR, to: USER, body: call(0xee6f454c).end() }
    expect(typesOf(actionsOf({ ...offer(0n), leads: [back] }))[0]).toBe('election_deposit failed')
    const isOnItsWay = true
    expect(typesOf(actionsOf({ ...offer(0n), leads: [{ ...back, isOnItsWay }] }))).toEqual(['call_contract'])
    expect(typesOf(actionsOf(offer(7n)))).toEqual(['election_deposit failed'])
  })

  test('a stake is taken back: what comes is the amount', () => {
    const answer = { from: ELECTOR, to: USER, body: call(0xf96f7324).end(), value: 900n }
    const ask = { from: USER, to: ELECTOR, body: call(0x47657424).end() }
    const [action] = actionsOf({ ...ask, leads: [answer] })
    expect(action).toMatchObject({ type: 'election_recover', details: { stake_holder: USER, amount: '900' } })
    const [failed] = actionsOf({ ...ask, leads: [{ from: ELECTOR, to: USER, body: call(0xfffffffe).end() }] })
    expect(failed).toMatchObject({ type: 'election_recover', success: false, details: { stake_holder: USER } })
    expect(failed?.details).not.toHaveProperty('amount')
  })

  test('the same words to another one are no election', () => {
    expect(typesOf(actionsOf({ from: USER, to: OTHER, body: call(0x4e73744b).end() }))).toEqual(['call_contract'])
  })
})

describe('subscriptions', () => {
  const PLUGIN = POOL
  const SHOP = OTHER
  const paid: Step = { from: PLUGIN, to: SHOP, body: call(0x73756273).end(), value: 90n }

  test('a plugin asks a wallet, which pays, and the shop gets its part', () => {
    const pay: Step = { from: WALLET, to: PLUGIN, body: call(0xf06c7567).end(), value: 120n, leads: [paid] }
    const ask: Step = { from: PLUGIN, to: WALLET, body: call(0x706c7567).storeCoins(100n).storeBit(false).end() }
    const actions = actionsOf({ from: null, to: PLUGIN, leads: [{ ...ask, leads: [pay] }] })
    expect(typesOf(actions)).toEqual(['subscribe'])
    expect(actions[0]?.details).toEqual({ subscriber: WALLET, beneficiary: SHOP, subscription: PLUGIN, amount: '100' })
    // A payment that was not requested counts as what was sent.
    expect(actionsOf(pay)[0]?.details).toMatchObject({ amount: '120' })
    expect(typesOf(actionsOf({ ...pay, leads: [] }))).toEqual(['call_contract'])
  })

  test('a plugin is destroyed, with an answer or without', () => {
    const answer = { from: PLUGIN, to: SHOP, body: call(0x64737472).end() }
    const [action, ...others] = actionsOf({ from: WALLET, to: PLUGIN, body: call(0x64737472).end(), leads: [answer] })
    expect(others).toEqual([])
    expect(action).toMatchObject({
      type: 'unsubscribe',
      success: true,
      details: { subscriber: WALLET, beneficiary: SHOP, subscription: PLUGIN },
    })
    expect(actionsOf({ from: WALLET, to: PLUGIN, body: call(0x64737472).end(), aborted: true })[0]).toMatchObject({
      type: 'unsubscribe',
      success: false,
      details: { subscriber: WALLET, subscription: PLUGIN },
    })
  })

  const destruct = (from: string, to: string): Step => ({ from, to, body: call(0x64737472).end() })
  const ofWallet = { subscriber: WALLET, beneficiary: SHOP, subscription: PLUGIN }

  test('a shop ends it: the plugin notifies the wallet, then the shop', () => {
    const leads = [destruct(PLUGIN, WALLET), destruct(PLUGIN, SHOP)]
    const actions = actionsOf({ ...destruct(SHOP, PLUGIN), ends: true, leads })
    expect(typesOf(actions)).toEqual(['unsubscribe'])
    expect(actions[0]?.details).toEqual(ofWallet)
  })

  test('a plugin that is not paid ends by itself', () => {
    // Also when its wallet is no more.
    for (const aborted of [false, true]) {
      const leads = [{ ...destruct(PLUGIN, WALLET), aborted, bounce: false }, destruct(PLUGIN, SHOP)]
      const actions = actionsOf({ from: null, to: PLUGIN, ends: true, leads })
      expect(typesOf(actions)).toEqual(['unsubscribe'])
      expect(actions[0]?.details).toEqual(ofWallet)
    }
  })

  test('what a plugin or a wallet does not do at the word of a stranger', () => {
    expect(typesOf(actionsOf(destruct(USER, WALLET)))).toEqual(['call_contract'])
    const passedOn: Step = { from: PLUGIN, to: SHOP, body: call(0x756e6b77).end() }
    expect(typesOf(actionsOf({ ...destruct(USER, PLUGIN), leads: [passedOn] }))).toEqual([
      'call_contract',
      'call_contract',
    ])
    expect(typesOf(actionsOf({ ...destruct(WALLET, PLUGIN), ends: true }))).toEqual(['unsubscribe'])
  })
})

describe('stakes', () => {
  const NOMINATED = { [POOL]: known({ interfaces: ['tv_pool'] }) }
  const coin = 1_000_000_000n
  const back = (value: bigint): Step => ({ from: POOL, to: USER, value })
  const requested = (text: string, leads: readonly Step[]) =>
    actionsOf({ from: USER, to: POOL, body: comment(text), value: 2n * coin, leads }, NOMINATED)
  const nominator = { provider: 'nominator', stake_holder: USER, pool: POOL }

  test('a nominator deposits in one letter', () => {
    const actions = requested('d', [{ from: POOL, to: USER, body: call(0xd53276db).end() }])
    expect(typesOf(actions)).toEqual(['stake_deposit'])
    expect(actions[0]?.details).toEqual({ ...nominator, amount: String(2n * coin), tokens_minted: null, asset: null })
    // The same letter to anybody else is a letter.
    expect(typesOf(actionsOf({ from: USER, to: POOL, body: comment('d') }))).toEqual(['ton_transfer'])
  })

  test.each(['d', 'w'])('"%s" that came with too little for gas was not carried out', (text) => {
    const step = { from: USER, to: POOL, body: comment(text), bounce: false, lackedGas: true }
    expect(actionsOf(step, NOMINATED)).toMatchObject([{ success: false, details: nominator }])
  })

  test('a nominator withdraws: at once, with the change, or later', () => {
    const more = requested('w', [back(5n * coin)])
    expect(typesOf(more)).toEqual(['stake_withdrawal'])
    expect(more[0]?.details).toMatchObject({ ...nominator, amount: String(5n * coin), tokens_burnt: null })
    expect(requested('w', [back(3n), back(7n)])[0]).toMatchObject({
      type: 'stake_withdrawal',
      details: { amount: '3' },
    })
    const later = requested('w', [back(coin)])
    expect(typesOf(later)).toEqual(['stake_withdrawal_request'])
    expect(later[0]?.details).toEqual({ ...nominator, payout_nft: null, asset: null, tokens_burnt: null })
    expect(typesOf(requested('w', [{ ...back(5n * coin), isOnItsWay: true }]))).toEqual(['ton_transfer'])
    const refused = { from: USER, to: POOL, body: comment('w'), aborted: true }
    const bounce: Step = { from: POOL, to: USER, body: call(0xffffffff).end(), isOnItsWay: true }
    expect(typesOf(actionsOf({ ...refused, leads: [bounce] }, NOMINATED))).toEqual(['stake_withdrawal_request failed'])
  })

  test('a nominator that sends the stake back has not withdrawn it; one that fails without a bounce has it', () => {
    const paid = { ...back(5n * coin), aborted: true }
    expect(typesOf(requested('w', [paid]))).toEqual(['stake_withdrawal failed'])
    expect(typesOf(requested('w', [{ ...paid, bounce: false }]))).toEqual(['stake_withdrawal'])
    const processed = (payment: Step) =>
      typesOf(actionsOf({ from: USER, to: POOL, body: call(2).end(), leads: [payment] }, NOMINATED)).at(-1)
    expect(processed(paid)).toBe('stake_withdrawal failed')
    expect(processed({ ...paid, bounce: false })).toBe('stake_withdrawal')
  })

  test('a pool works off its requests: each payment is a withdrawal of its own', () => {
    const leads = [back(3n), { from: POOL, to: OTHER, value: 4n }]
    const actions = actionsOf({ from: USER, to: POOL, body: call(2).end(), leads }, NOMINATED)
    const holders = actions.filter(({ type }) => type === 'stake_withdrawal').map(({ details }) => details)
    expect(holders).toMatchObject([
      { stake_holder: USER, amount: '3' },
      { stake_holder: OTHER, amount: '4' },
    ])
  })

  test('a pool pays one nominator, on the call of anyone', () => {
    const ask = call(3)
      .storeUint(BigInt(`0x${'1'.repeat(64)}`), 256)
      .end()
    const [action, ...others] = actionsOf({ from: OTHER, to: POOL, body: ask, leads: [back(3n)] }, NOMINATED)
    expect(action).toMatchObject({ type: 'call_contract', success: true })
    expect(others).toMatchObject([
      { type: 'stake_withdrawal', details: { stake_holder: USER, amount: '3', pool: POOL } },
    ])
  })

  test('what a pool gives back of the call itself is no withdrawal, also when it had nobody to pay', () => {
    const called = (value: bigint, leads: readonly Step[]) =>
      actionsOf({ from: USER, to: POOL, body: call(2).end(), value, leads }, NOMINATED)
    const holders = (value: bigint, leads: readonly Step[]) =>
      called(value, leads).flatMap(({ type, details }) => (type === 'stake_withdrawal' ? [details.amount] : []))
    expect(typesOf(called(10n, [back(8n)]))).toEqual(['call_contract', 'ton_transfer'])
    expect(holders(10n, [back(5n), back(8n)])).toEqual(['5'])
    expect(holders(10n, [{ from: POOL, to: OTHER, value: 4n }, back(8n)])).toEqual(['4'])
    // More than was sent is a stake.
    expect(holders(10n, [back(11n)])).toEqual(['11'])
  })

  test('TON is given to a pool that mints jettons for it', () => {
    const facts = { [WALLET]: known({ jettonWallet: { owner: USER, jetton: MASTER } }) }
    const minted = call(0x178d4519).storeVarUint(77n, 16).end()
    const internal: Step = { from: MASTER, to: WALLET, body: minted }
    const payout: Step = { from: POOL, to: MASTER, body: call(0x1674b0a0).end(), leads: [internal] }
    const deposit: Step = { from: USER, to: POOL, body: call(0x47d54391).end(), value: 11n * coin }
    const actions = actionsOf({ ...deposit, leads: [payout] }, facts)
    expect(typesOf(actions)).toEqual(['stake_deposit'])
    expect(actions[0]?.details).toMatchObject({
      provider: 'liquid_staking',
      stake_holder: USER,
      pool: POOL,
      asset: MASTER,
      amount: String(10n * coin),
      tokens_minted: '77',
    })
    expect(actionsOf(deposit)[0]).toMatchObject({
      type: 'stake_deposit',
      success: false,
      details: { tokens_minted: null },
    })
  })

  test('TON is given to a pool that makes a bill of it, for jettons at the end of the round', () => {
    const BILL = account('7')
    const COLLECTION = account('8')
    const bill: Step = { from: COLLECTION, to: BILL, body: call(0x132f9a45).end() }
    const payout: Step = { from: POOL, to: COLLECTION, body: call(0x1674b0a0).end(), leads: [bill] }
    const deposit: Step = { from: USER, to: POOL, body: call(0x47d54391).end(), value: 11n * coin }
    const deposited = (leads: readonly Step[]) =>
      actionsOf({ ...deposit, leads }).find(({ type }) => type === 'stake_deposit')
    expect(deposited([payout])).toMatchObject({
      success: true,
      details: { stake_holder: USER, pool: POOL, amount: String(10n * coin), tokens_minted: null, asset: null },
    })
    expect(deposited([{ ...payout, leads: [{ ...bill, aborted: true }] }])?.success).toBe(false)
    expect(deposited([{ ...payout, aborted: true, leads: [] }])?.success).toBe(false)
  })

  test('a bill of a pool is paid out later, from whichever place in the row', () => {
    const BILL = account('7')
    const COLLECTION = account('8')
    const burnt = address(call(0xed58b0b2).storeCoins(60n), USER).storeUint(0, 64).end()
    const payout: Step = { from: COLLECTION, to: USER, body: call(0xdb3b8abd).end(), value: 65n }
    const notice: Step = { from: BILL, to: COLLECTION, body: burnt, leads: [payout] }
    const burn: Step = { from: COLLECTION, to: BILL, body: call(0xf127fe4e).end(), leads: [notice] }
    const actions = actionsOf({ from: POOL, to: COLLECTION, body: call(0x1140a64f).end(), leads: [burn] })
    expect(actions.find(({ type }) => type === 'stake_withdrawal')?.details).toEqual({
      provider: 'liquid_staking',
      stake_holder: USER,
      pool: POOL,
      amount: '65',
      payout_nft: BILL,
      tokens_burnt: '60',
      asset: null,
    })
  })

  test('dollars of Ethena are put to work', () => {
    const PAID = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC'
    const STAKED = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D'
    const VAULT_WALLET = account('9')
    const STAKED_WALLET = account('A')
    const facts = {
      [WALLET]: known({ jettonWallet: { owner: USER, jetton: PAID } }),
      [VAULT_WALLET]: known({ jettonWallet: { owner: POOL, jetton: PAID } }),
      [STAKED_WALLET]: known({ jettonWallet: { owner: USER, jetton: STAKED } }),
    }
    const internal = (amount: bigint): Cell =>
      address(address(call(0x178d4519).storeVarUint(amount, 16), USER), USER)
        .storeVarUint(0n, 16)
        .storeBit(false)
        .end()
    const minted: Step = { from: STAKED, to: STAKED_WALLET, body: internal(95n) }
    const mint: Step = {
      from: POOL,
      to: STAKED,
      leads: [minted],
      body: address(call(0x642b7d07), USER).storeCoins(1n).storeRef(internal(95n)).end(),
    }
    const notice: Step = { from: VAULT_WALLET, to: POOL, leads: [mint], body: call(0x7362d09c).end() }
    const moved: Step = { from: WALLET, to: VAULT_WALLET, leads: [notice], body: internal(100n) }
    const requested = address(address(call(0x0f8a7ea5).storeVarUint(100n, 16), POOL), USER).storeBit(false)
    const body = requested.storeVarUint(1n, 16).storeBit(false).end()
    const actions = actionsOf({ from: USER, to: WALLET, body, leads: [moved] }, facts)
    expect(typesOf(actions)).toEqual(['stake_deposit'])
    expect(actions[0]?.details).toEqual({
      provider: 'ethena',
      stake_holder: USER,
      pool: POOL,
      amount: '100',
      tokens_minted: '95',
      asset: STAKED,
      source_asset: PAID,
    })
  })

  test('staked dollars of Ethena are given back to their master, and to nobody else', () => {
    const STAKED = wellKnownAccounts.stakedUsde.id
    const facts = { [WALLET]: known({ jettonWallet: { owner: USER, jetton: STAKED } }) }
    const amountCall = (opcode: number, amount: bigint) => call(opcode).storeVarUint(amount, 16)
    const locked: Step = { from: STAKED, to: WALLET, body: amountCall(0xb2583ed5, 120n).end() }
    const order: Step = { from: POOL, to: STAKED, body: call(0x642b7d07).end(), leads: [locked] }
    const moved = address(address(amountCall(0x178d4519, 100n), USER), USER)
      .storeVarUint(1n, 16)
      .storeBit(false)
      .end()
    const typesWhenSentTo = (to: string) => {
      const notice: Step = { from: to, to: POOL, body: call(0x7362d09c).end(), leads: [order] }
      const leads = [{ from: WALLET, to, body: moved, leads: [notice] }]
      const actions = actionsOf({ from: USER, to: WALLET, body: amountCall(0x0f8a7ea5, 100n).end(), leads }, facts)
      return actions.map(({ type, details }) => [type, details.tokens_burnt, details.tokens_minted].join(' '))
    }
    expect(typesWhenSentTo(STAKED)).toContain('stake_withdrawal_request 100 120')
    for (const elsewhere of [USER, account('9')])
      expect(typesWhenSentTo(elsewhere).filter((one) => one.startsWith('stake'))).toEqual([])
  })
})

test('TON with an extra currency is a transfer that reports it', () => {
  const [action] = actionsOf({ from: USER, to: OTHER, extraCurrencies: { '100': '7' }, value: 1n })
  const details = { value_extra_currencies: { '100': '7' }, value: '1' }
  expect(action).toMatchObject({ type: 'ton_transfer', details })
})
