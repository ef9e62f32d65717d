// Messages with the operation of a known protocol and random bytes behind it, false claims, and contracts that imitate others.

import { describe, expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { wellKnownAccounts } from '../../../server/interfaces/index.ts'
import { tracesThatLie } from './made/hostileBodies.ts'
import { account, actionsOf, address, call, known, op, type Step, typesOf } from './madeFlows.ts'
import { judged } from './untrueActions.ts'

/** `TRACES=2000 SEED=7` tries new traces. */
const { SEED = 'lies', TRACES = '600' } = process.env

test('nothing is shown that did not happen, whatever a message says', () => {
  const untrue: string[] = []
  const done = new Set<string>()
  for (const { name, file } of tracesThatLie(SEED, Number(TRACES))) {
    const found = judged(traceOfFile(file))
    for (const type of found.types) done.add(type)
    for (const one of found.untrue) untrue.push(`${name}: ${one}`)
  }
  expect(untrue).toEqual([])
  // Otherwise rules that show nothing would pass.
  expect(done.size).toBeGreaterThan(40)
})

const [USER, POOL, ROUTER, OTHER, MASTER] = ['1', '2', '3', '4', '5'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string, string]),
]
const WALLET = account('6')
const OTHER_WALLET = account('7')
const ITEM = account('8')
const HUGE = 10n ** 30n
const WALLETS = {
  [WALLET]: known({ jettonWallet: { owner: USER, jetton: MASTER } }),
  [OTHER_WALLET]: known({ jettonWallet: { owner: OTHER, jetton: MASTER } }),
}

const requestFor = (amount: bigint, to: string) =>
  address(address(call(0x0f8a7ea5).storeCoins(amount), to), USER)
    .storeBit(0)
    .storeCoins(0n)
    .storeBit(0)
    .end()

describe('a transfer of jettons', () => {
  const transfer = (moved: Step['body']): Step => ({
    from: USER,
    to: WALLET,
    body: requestFor(HUGE, OTHER),
    leads: [{ from: WALLET, to: OTHER_WALLET, ...(moved && { body: moved }) }],
  })

  test('shows what went to the other wallet, also where nothing stands behind the amount', () => {
    const [action] = actionsOf(transfer(call(0x178d4519).storeCoins(5n).end()), WALLETS)
    expect(action).toMatchObject({ type: 'jetton_transfer', success: true, details: { amount: '5', receiver: OTHER } })
  })

  test('is a call where no amount went to the other wallet', () => {
    const types = typesOf(actionsOf(transfer(op(0x178d4519).end()), WALLETS))
    expect(types).toEqual(['call_contract', 'call_contract'])
  })

  test('is a call where no master knows the wallets', () => {
    const types = typesOf(actionsOf(transfer(call(0x178d4519).storeCoins(5n).end())))
    expect(types).toEqual(['call_contract', 'call_contract'])
  })
})

/** A place in a pool of TONCO that is given up, up to the order to pay for it. */
function burnt(paid: Step): Step {
  const burn: Step = { from: ITEM, to: POOL, body: call(0xd73ac09d).end(), leads: [paid] }
  const toItem: Step = { from: POOL, to: ITEM, body: call(0x46ca335a).end(), leads: [burn] }
  const place = call(0x530b5f2c).storeUint(1, 64).storeUint(1, 128).storeInt(0, 24).storeInt(0, 24)
  return { from: USER, to: POOL, body: place.end(), leads: [toItem] }
}

describe('a copy of an exchange', () => {
  /** What it orders its router to pay from a wallet, and what that pays from two others. */
  const withdrawal = (wallet: string, paidFrom: readonly string[]): Step => {
    const shares = address(address(beginCell().storeCoins(HUGE), wallet).storeCoins(0n), wallet).end()
    const order = address(address(call(0xa1daa96d), USER), USER)
      .storeUint(0, 32)
      .storeUint(0, 64)
    const legs = paidFrom.map(
      (from): Step => ({
        from: ROUTER,
        to: from,
        body: requestFor(5n, OTHER),
        leads: [{ from, to: OTHER_WALLET, body: call(0x178d4519).storeCoins(5n).end() }],
      }),
    )
    const paid: Step = {
      from: POOL,
      to: ROUTER,
      body: order.storeBit(1).storeRef(shares).storeBit(0).end(),
      leads: legs,
    }
    return burnt(paid)
  }
  const facts = { ...WALLETS, [OTHER_WALLET]: known({ jettonWallet: { owner: USER, jetton: MASTER } }) }
  const shown = (step: Step) => actionsOf(step, facts).find(({ type }) => type === 'dex_withdraw_liquidity')

  test('pays what its pool names only from the wallet that it names', () => {
    expect(shown(withdrawal(WALLET, [WALLET]))).toMatchObject({
      success: true,
      details: { asset_1: MASTER, amount_1: '5' },
    })
    expect(shown(withdrawal(WALLET, [OTHER_WALLET]))).toMatchObject({ success: false })
  })

  test('pays its owner, and nobody else', () => {
    const [action] = actionsOf(withdrawal(WALLET, [WALLET]), WALLETS)
    expect(action).toMatchObject({ type: 'dex_withdraw_liquidity', success: false })
  })

  test('is not believed about wallets of which nobody knows the jetton: they hold no TON', () => {
    const copied = shown(withdrawal(account('9'), [WALLET, OTHER_WALLET]))
    expect(copied).toMatchObject({ success: false, details: { asset_1: null, amount_1: null } })
  })
})

describe('a copy of STON.fi with two pools', () => {
  const SECOND = account('9')
  const SWAP_OK = 0xc64370e5
  const swap = (to: string, amount: bigint, leads: readonly Step[]): Step => {
    const payload = address(op(0), OTHER_WALLET).end()
    const body = address(call(0x6664de2a), USER).storeCoins(amount).storeCoins(0n).storeRef(payload).end()
    return { from: ROUTER, to, body, leads }
  }
  const payTo = (
    from: string,
    { amount, wallet }: { amount: bigint; wallet: string },
    leads: readonly Step[],
  ): Step => {
    const ends = address(address(address(call(0x657b54f5), USER), USER), USER)
      .storeUint(SWAP_OK, 32)
      .storeBit(0)
    const info = address(address(beginCell().storeCoins(0n).storeCoins(amount), wallet).storeCoins(0n), wallet).end()
    return { from, to: ROUTER, body: ends.storeRef(info).end(), leads }
  }
  const moved = (from: string, to: string, leads: readonly Step[] = []): Step => ({
    from,
    to,
    body: call(0x178d4519).storeCoins(5n).end(),
    leads,
  })
  /** The first pool says that it gave a fortune to the second one, out of `between`. */
  function chain(between: string): Step {
    const out: Step = {
      from: ROUTER,
      to: OTHER_WALLET,
      body: requestFor(5n, USER),
      leads: [moved(OTHER_WALLET, WALLET)],
    }
    const last = swap(SECOND, HUGE, [payTo(SECOND, { amount: 5n, wallet: OTHER_WALLET }, [out])])
    const first = swap(POOL, 5n, [payTo(POOL, { amount: HUGE, wallet: between }, [last])])
    const notice: Step = {
      from: OTHER_WALLET,
      to: ROUTER,
      body: address(call(0x7362d09c).storeCoins(5n), USER).storeBit(0).end(),
      leads: [first],
    }
    return { from: USER, to: WALLET, body: requestFor(5n, ROUTER), leads: [moved(WALLET, OTHER_WALLET, [notice])] }
  }
  const peersOf = (between: string) => {
    const facts = {
      ...WALLETS,
      [OTHER_WALLET]: known({ jettonWallet: { owner: ROUTER, jetton: MASTER } }),
      [ITEM]: known({ jettonWallet: { owner: ROUTER, jetton: OTHER } }),
    }
    const found = actionsOf(chain(between), facts).filter(({ type }) => type === 'jetton_swap')
    expect(found.length).toBe(1)
    return found[0]?.details.peer_swaps
  }

  test('shows what went between them in a wallet of a known jetton, and not in one of nobody: it would look like TON', () => {
    expect(peersOf(ITEM)).toMatchObject([{ asset_out: OTHER }, { asset_in: OTHER }])
    expect(peersOf(account('C'))).toEqual([])
  })
})

test('of what a wallet of proxied TON sent, the payment of an exchange is what brought the amount', () => {
  const wallet = known({ jettonWallet: { owner: ROUTER, jetton: wellKnownAccounts.toncoProxyTon.id } })
  const shares = address(address(beginCell().storeCoins(500n), WALLET).storeCoins(0n), WALLET).end()
  const order = address(address(call(0xa1daa96d), USER), USER)
    .storeUint(0, 32)
    .storeUint(0, 64)
  const sentOn = (value: bigint): Step => ({ from: WALLET, to: USER, body: call(0x01f3835d).end(), value })
  const leads: Step[] = [{ from: ROUTER, to: WALLET, body: requestFor(500n, USER), leads: [sentOn(1n), sentOn(500n)] }]
  const paid: Step = { from: POOL, to: ROUTER, body: order.storeBit(1).storeRef(shares).storeBit(0).end(), leads }
  const [action, ...others] = actionsOf(burnt(paid), { [WALLET]: wallet })
  expect(action).toMatchObject({ type: 'dex_withdraw_liquidity', success: true, details: { amount_1: '500' } })
  // The other message is a call of its own.
  expect(others.map(({ details }) => details.value)).toEqual(['1'])
})

describe('a copy of a teleport of tgBTC', () => {
  const claimed = (recipient: string): Step => {
    const log = address(op(0x77a80ef3).storeCoins(5n), recipient).storeBytes(Buffer.alloc(32, 7)).end()
    const moved = call(0x178d4519).storeCoins(5n).end()
    const order = address(call(0x642b7d07), OTHER).storeCoins(1n).storeRef(moved).end()
    const minted: Step = { from: MASTER, to: OTHER_WALLET, body: moved }
    const leads: Step[] = [
      { from: ROUTER, to: null, body: log },
      { from: ROUTER, to: MASTER, body: order, leads: [minted] },
    ]
    return { from: USER, to: ROUTER, body: call(0xe42a879b).end(), leads }
  }
  const mints = (recipient: string) =>
    actionsOf(claimed(recipient), WALLETS).filter(({ type }) => type === 'tgbtc_mint')

  test('mints for the one that the master minted for, whomever it logs', () => {
    expect(mints(OTHER)).toMatchObject([{ success: true, details: { destination: OTHER, amount: '5' } }])
    expect(mints(USER)).toEqual([])
  })
})
