// What can be supposed of contracts that come to life in a pending trace, which the index does not know yet.

import { expect, test } from 'vitest'
import { classifyTrace, type TraceTransaction, withNewWallets } from '../../../server/actions/index.ts'
import { account, address, call, known } from './madeFlows.ts'
import { message, trace, transaction } from './madeTraces.ts'

const ADMIN = account('1')
const OWNER = account('2')
const MASTER = account('3')
const WALLET = account('4')

const inner = call(0x178d4519).storeCoins(7n).storeUint(0, 4).storeCoins(0n).storeBit(false).end()
const forwarded = message({ source: MASTER, destination: WALLET, body: inner, lt: 12n })

/** An order to mint, and the wallet it deploys. */
function minted(opcode: number, begun: readonly string[]): TraceTransaction[] {
  const order = address(call(opcode), OWNER).storeCoins(5n).storeRef(inner).end()
  const received = message({ source: ADMIN, destination: MASTER, body: order, lt: 11n })
  const status = (one: string) => ({ origStatus: begun.includes(one) ? 'uninit' : 'active' })
  return [
    transaction({ account: MASTER, in: received, outMessages: [forwarded], ...status(MASTER) }),
    transaction({ account: WALLET, in: forwarded, ...status(WALLET) }),
  ]
}

test.each([0x15, 0x642b7d07])('the first mint to an owner, by order %i, is one before a block has it', (opcode) => {
  const typesWith = (transactions: readonly TraceTransaction[], interfaces: readonly string[]) => {
    const [root, ...others] = transactions
    if (root === undefined) throw new Error('a trace without transactions')
    const whole = trace(root, ...others)
    const facts = withNewWallets(whole, new Map([[MASTER, known({ interfaces })]]))
    return classifyTrace(whole, facts).actions.map(({ type, details }) => [type, details.receiver ?? null])
  }
  const mint = ['jetton_mint', OWNER]
  expect(typesWith(minted(opcode, [WALLET]), ['jetton_master'])).toContainEqual(mint)
  // Also by a master that is deployed with the order.
  expect(typesWith(minted(opcode, [MASTER, WALLET]), [])).toContainEqual(mint)
  // Another contract only says so.
  expect(typesWith(minted(opcode, [WALLET]), [])).not.toContainEqual(mint)
})

test('the wallet that the index knows is not supposed anew, and one that is not deployed is none', () => {
  const jettonWallet = { jetton: ADMIN, owner: ADMIN }
  const walletOf = (facts: Parameters<typeof known>[0], endStatus = 'active') => {
    const [root, deployed] = minted(0x15, [WALLET])
    if (root === undefined || deployed === undefined) throw new Error('a trace without transactions')
    const whole = trace(root, { ...deployed, endStatus })
    const master = known({ interfaces: ['jetton_master'] })
    const all = new Map([
      [MASTER, master],
      [WALLET, known(facts)],
    ])
    return withNewWallets(whole, all).get(WALLET)?.jettonWallet
  }
  expect(walletOf({})).toEqual({ jetton: MASTER, owner: OWNER })
  expect(walletOf({ jettonWallet })).toEqual(jettonWallet)
  expect(walletOf({}, 'uninit')).toBeUndefined()
})
