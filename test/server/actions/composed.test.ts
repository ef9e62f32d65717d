// Traces composed of others, and flows that no recorded trace has: the amounts shown are those that moved, and an action is shown
// as successful only if it was carried out.

import { describe, expect, test } from 'vitest'
import { classifyTrace } from '../../../server/actions/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { wellKnownAccounts } from '../../../server/interfaces/index.ts'
import { compositions, withoutTon } from './made/compositions.ts'
import { possibleBases } from './made/random.ts'
import { fileOf } from './made/tree.ts'
import { account, actionsOf, address, call, comment, known, type Step, typesOf } from './madeFlows.ts'
import { untrueClaims } from './untrueClaims.ts'

const [USER, POOL, MASTER, OTHER, WALLET, OTHER_WALLET] = ['1', '2', '3', '4', '5', '6'].map((digit) =>
  account(digit),
) as [...(readonly [string, string, string, string, string, string])]

/** An item reports to its new owner, which need not take note. */
const REPORT = 0x05138d91

describe('traces composed of others', () => {
  test('show what moved', () => {
    const untrue: string[] = []
    let count = 0
    for (const [name, made] of compositions()) {
      count += 1
      const composed = traceOfFile(fileOf(made))
      const { actions, failure } = classifyTrace(composed.trace, composed.facts)
      expect(failure).toBeNull()
      for (const action of actions)
        if (action.success && action.transactions.length > 0)
          for (const one of untrueClaims(action, composed)) untrue.push(`${name}: ${one}`)
    }
    expect(untrue).toEqual([])
    expect(count).toBeGreaterThan(700)
  })

  test('a request without TON, which its receiver never saw, succeeds in nothing', () => {
    const untrue: string[] = []
    let count = 0
    for (const { name, tree } of possibleBases())
      for (const made of withoutTon(tree)) {
        const { trace, facts } = traceOfFile(fileOf(made))
        const [dead] = trace.transactions.filter(({ lackedGas, inMessage }) => lackedGas && inMessage?.value === 0n)
        if (dead === undefined) continue
        count += 1
        for (const { type, success, startLt, transactions } of classifyTrace(trace, facts).actions) {
          const isPlain = type === 'call_contract' || type === 'ton_transfer' || dead.inMessage?.opcode === REPORT
          const begins = startLt === dead.inMessage?.createdLt && transactions.includes(dead.hash)
          if (success && begins && !isPlain) untrue.push(`${name}: ${type} by ${dead.inMessage?.opcode?.toString(16)}`)
        }
      }
    expect(untrue).toEqual([])
    expect(count).toBeGreaterThan(800)
  })
})

describe('jettons', () => {
  const wallets = {
    [WALLET]: known({ jettonWallet: { owner: USER, jetton: MASTER } }),
    [OTHER_WALLET]: known({ jettonWallet: { owner: OTHER, jetton: MASTER } }),
  }
  const transfer = (from: string): Step => ({
    from,
    to: WALLET,
    body: address(address(call(0x0f8a7ea5).storeCoins(50n), OTHER), USER)
      .storeBit(0)
      .storeCoins(0n)
      .storeBit(0)
      .end(),
    leads: [
      {
        from: WALLET,
        to: OTHER_WALLET,
        body: address(address(call(0x178d4519).storeCoins(50n), USER), USER)
          .storeCoins(0n)
          .storeBit(0)
          .end(),
      },
    ],
  })

  test('a master that moves what an owner holds takes it from the owner', () => {
    for (const from of [USER, MASTER])
      expect(actionsOf(transfer(from), wallets)).toMatchObject([
        { type: 'jetton_transfer', success: true, details: { sender: USER, receiver: OTHER, amount: '50' } },
      ])
  })

  test('a burn that its master refuses has burnt nothing', () => {
    const burn = (isRefused: boolean): Step => ({
      from: USER,
      to: WALLET,
      body: address(call(0x595f07bc).storeCoins(50n), USER).storeBit(0).end(),
      leads: [{ from: WALLET, to: MASTER, body: call(0x7bdd97de).storeCoins(50n).end(), aborted: isRefused }],
    })
    expect(typesOf(actionsOf(burn(false), wallets))).toEqual(['jetton_burn'])
    expect(typesOf(actionsOf(burn(true), wallets))).toEqual(['jetton_burn failed'])
  })

  test('proxied TON has moved when it came to its wallet, or left it', () => {
    const proxy = known({ jettonWallet: { owner: POOL, jetton: wellKnownAccounts.stonfiProxyTon.id } })
    const moved = (to: string, value: bigint, lead: Step): string[] => {
      const ends = address(address(call(0x0f8a7ea5).storeCoins(500n), to), USER)
      const body = ends.storeBit(0).storeCoins(0n).storeBit(0).end()
      const request: Step = { from: POOL, to: WALLET, body, value, leads: [lead] }
      return typesOf(actionsOf(request, { [WALLET]: proxy })).filter((type) => type.startsWith('jetton_transfer'))
    }
    const notice = (to: string, value: bigint): Step => ({ from: WALLET, to, body: call(0x7362d09c).end(), value })
    const sentOn = (value: bigint): Step => ({ from: WALLET, to: USER, body: call(0x01f3835d).end(), value })
    expect(moved(POOL, 500n, notice(POOL, 600n))).toEqual(['jetton_transfer'])
    expect(moved(POOL, 1n, notice(POOL, 600n))).toEqual(['jetton_transfer failed'])
    expect(moved(USER, 1n, notice(USER, 600n))).toEqual(['jetton_transfer'])
    // The receiver failed, and the TON came back.
    expect(moved(USER, 1n, { ...notice(USER, 600n), aborted: true })).toEqual(['jetton_transfer failed'])
    expect(moved(USER, 600n, sentOn(500n))).toEqual(['jetton_transfer'])
    expect(moved(USER, 600n, sentOn(1n))).toEqual(['jetton_transfer failed'])
  })

  const withdrawal = (paid: Partial<Step>): Step => ({
    from: USER,
    to: WALLET,
    body: address(call(0x595f07bc).storeCoins(50n), USER).storeBit(0).end(),
    leads: [
      {
        from: WALLET,
        to: MASTER,
        body: call(0x7bdd97de).storeCoins(50n).end(),
        leads: [
          {
            from: MASTER,
            to: POOL,
            body: call(0x319b0cdc).end(),
            value: 1000n,
            leads: [{ from: POOL, to: USER, body: call(0x0a77535c).end(), value: 5000n, ...paid }],
          },
        ],
      },
    ],
  })

  test('a stake that a pool pays is what it adds to the TON for the way, and never less than nothing', () => {
    const [found] = actionsOf(withdrawal({}), wallets)
    expect(found).toMatchObject({ type: 'stake_withdrawal', success: true, details: { amount: '4000' } })
    const less = actionsOf(withdrawal({ value: 1n }), wallets)
    expect(less.map(({ type }) => type)).not.toContain('stake_withdrawal')
    expect(typesOf(actionsOf(withdrawal({ aborted: true }), wallets))).toContain('stake_withdrawal failed')
  })
})

test('a subscription shows what was paid, whatever was requested', () => {
  const request = (requested: bigint, paid: bigint): Step => ({
    from: POOL,
    to: WALLET,
    body: call(0x706c7567).storeCoins(requested).storeBit(0).end(),
    leads: [
      {
        from: WALLET,
        to: POOL,
        body: call(0xf06c7567).end(),
        value: paid,
        leads: [{ from: POOL, to: OTHER, body: call(0x73756273).end(), value: 90n }],
      },
    ],
  })
  const amountOf = (step: Step) => actionsOf({ from: null, to: POOL, leads: [step] })[0]?.details.amount
  expect(amountOf(request(100n, 120n))).toBe('100')
  expect(amountOf(request(10n ** 30n, 120n))).toBe('120')
})

describe('items', () => {
  const ITEM = OTHER_WALLET
  const name = { [ITEM]: known({ interfaces: ['dns', 'nft_item'] }) }
  const key = Buffer.alloc(32, 7)
  const change = (leads: readonly Step[] = []): Step => ({
    from: USER,
    to: ITEM,
    leads,
    body: call(0x4eb1f0f9).storeBytes(key).storeRef(call(0x9fd3).end()).end(),
  })

  test('a name that is changed and renewed at once was changed and renewed', () => {
    const renew: Step = { from: USER, to: ITEM, body: call(0x4eb1f0f9).storeBytes(Buffer.alloc(32)).end() }
    const types = typesOf(actionsOf({ from: null, to: USER, leads: [change(), renew] }, name))
    expect(types).toEqual(['change_dns', 'renew_dns'])
  })

  test('a change that an item was to compute without TON has changed nothing', () => {
    expect(typesOf(actionsOf({ ...change(), value: 0n, aborted: true }, name))).toEqual(['change_dns failed'])
  })

  test('an item whose first transaction failed is not minted', () => {
    const fresh = { [ITEM]: known({ nftItem: { index: 1n, collection: MASTER, owner: USER, content: null } }) }
    const minted = (aborted: boolean) =>
      typesOf(actionsOf({ from: MASTER, to: ITEM, body: call(0x80002020).end(), begins: true, aborted }, fresh))
    expect(minted(false)).toContain('nft_mint')
    expect(minted(true)).toContain('nft_mint failed')
  })

  test('a sale whose price came in part is no purchase', () => {
    const facts = {
      [ITEM]: known({ nftItem: { index: 1n, collection: MASTER, owner: OTHER, content: null } }),
      [POOL]: known({ sale: { nft: ITEM, nftOwner: OTHER, marketplace: null, price: 1_000_000n } }),
    }
    const handover: Step = {
      from: POOL,
      to: ITEM,
      value: 1n,
      body: address(address(call(0x5fcc3d14), USER), USER)
        .storeBit(0)
        .storeCoins(0n)
        .storeBit(0)
        .end(),
    }
    const bought = (value: bigint, paid: bigint) =>
      actionsOf(
        { from: USER, to: POOL, value, body: comment(''), leads: [handover, { from: POOL, to: OTHER, value: paid }] },
        facts,
      ).find(({ type }) => type === 'nft_transfer')?.details
    expect(bought(1_000_000n, 900_000n)).toMatchObject({ is_purchase: true, price: '1000000' })
    expect(bought(500_000n, 400_000n)).toMatchObject({ is_purchase: false })
  })
})
