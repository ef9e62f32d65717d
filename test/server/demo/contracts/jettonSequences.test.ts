import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import {
  jettonBurnBody,
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  offChainContent,
} from '../../../../server/demo/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { own, startTvm } from '../../devchain/actor.ts'
import { coin, Network, person } from '../../devchain/contracts/network.ts'
import { code } from '../../tvm/contracts.ts'

const admin = person(1)
const owners = [person(2), person(3), person(4)]
// Its wallet fails whatever it gets.
const broken = person(5)
const master = jettonMasterInit({ admin, content: offChainContent('https://jetton.test/') })
const walletOf = (owner: AccountId) => jettonWalletInit(master.address, owner)
const everybody = [...owners, broken]

let executor: Emulator
beforeAll(async () => {
  executor = await startTvm()
})

const owner = fc.constantFrom(...owners)
const amount = fc.oneof(fc.bigInt(0n, 500n), fc.constant(2n ** 120n - 1n))
// From far too little to plenty.
const value = fc.oneof(fc.bigInt(0n, coin / 4n), fc.constant(coin))
const step = fc.oneof(
  fc.record({
    kind: fc.constant('mint' as const),
    to: fc.constantFrom(...everybody),
    amount: fc.bigInt(0n, 1000n),
    value,
  }),
  fc.record({
    kind: fc.constant('transfer' as const),
    by: owner,
    from: owner,
    to: fc.constantFrom(...everybody),
    amount,
    value,
    forwardAmount: fc.bigInt(0n, coin / 8n),
  }),
  fc.record({ kind: fc.constant('burn' as const), by: owner, from: owner, amount, value }),
)

function run(network: Network, todo: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  const { value: sent } = todo
  if (todo.kind === 'mint') {
    const body = jettonMintBody({ queryId: 1n, to: todo.to, amount: todo.amount, value: sent, responseTo: admin })
    network.send({ from: admin, to: master.address, value: sent + coin / 10n, body })
  } else if (todo.kind === 'transfer') {
    const { to, by, from, forwardAmount } = todo
    const body = jettonTransferBody({ queryId: 2n, amount: todo.amount, to, responseTo: by, forwardAmount })
    network.send({ from: by, to: walletOf(from).address, value: sent, body })
  } else {
    const body = jettonBurnBody({ queryId: 3n, amount: todo.amount, responseTo: todo.by })
    network.send({ from: todo.by, to: walletOf(todo.from).address, value: sent, body })
  }
}

test('whatever is minted, moved and burnt, wallets hold together what the master has issued', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 15 }), (steps) => {
      const network = new Network(executor)
      network.place(master)
      for (const to of owners) run(network, { kind: 'mint', to, amount: 300n, value: coin / 4n })
      const { address, data } = walletOf(broken)
      network.place({ address, data, code: own(code.throwing) })

      for (const todo of steps) run(network, todo)
      const held = owners.map((who) => network.get(walletOf(who).address, 'get_wallet_data').readBigNumber())
      expect(held.every((balance) => balance >= 0n)).toBe(true)
      expect(network.get(master.address, 'get_jetton_data').readBigNumber()).toBe(held.reduce((sum, one) => sum + one))
    }),
    { numRuns: 12 },
  )
})
