// Regular payments and the elector of the embedded chain, in the words of people.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import {
  subscriptionAskBody,
  subscriptionDestructBody,
  subscriptionInstalledBody,
  subscriptionPlugin,
} from '../../../server/demo/contracts/index.ts'
import { ELECTOR_ACCOUNT } from '../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../server/node/index.ts'
import { AssetScene, coin, person } from '../indexer/assets/assetScene.ts'
import { actionsOf, typesOf } from './actionsOnChain.ts'

const wallet = person(1)
const shop = person(2)
const stranger = person(3)
const rawOf = ({ workchain, hash }: AccountId): string =>
  `${workchain}:${Buffer.from(hash).toString('hex').toUpperCase()}`
const call = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(7, 64).end()

test('a plugin asks the wallet it was installed in, passes on what it pays, and ends when it is ordered to', async () => {
  const scene = await AssetScene.open()
  const terms = { amount: 3n * coin, period: 600, start: 0, timeout: 60, id: 1 }
  const plugin = subscriptionPlugin({ wallet, beneficiary: shop, ...terms })
  const install = () => scene.send({ from: wallet, to: plugin, value: coin / 2n, body: subscriptionInstalledBody(1n) })
  const installed = await actionsOf(scene, install)
  // There is no wallet at this address that would pay.
  expect(installed.map(({ details }) => details.opcode)).toEqual(['0x6e6f7465', '0x6e6f7465', '0x706c7567'])
  expect(installed.at(-1)?.details).toMatchObject({ source: rawOf(plugin.address), destination: rawOf(wallet) })

  const pay = (value: bigint) => scene.send({ from: wallet, to: plugin.address, value, body: call(0xf06c7567) })
  expect(typesOf(await actionsOf(scene, () => pay(3n * coin + coin / 10n)))).toEqual(['subscribe'])
  const [paid] = await actionsOf(scene, () => pay(4n * coin))
  expect(paid?.details).toEqual({
    subscriber: rawOf(wallet),
    beneficiary: rawOf(shop),
    subscription: rawOf(plugin.address),
    amount: String(4n * coin),
  })
  // Too little, and what is not due yet.
  expect(typesOf(await actionsOf(scene, () => pay(coin)))[0]).toBe('call_contract failed')
  const early = () => scene.send({ from: shop, to: plugin.address, body: subscriptionAskBody(2n) })
  expect(typesOf(await actionsOf(scene, early))[0]).toBe('call_contract failed')

  const end = (from: AccountId) => () => scene.send({ from, to: plugin.address, body: subscriptionDestructBody(3n) })
  expect(typesOf(await actionsOf(scene, end(stranger)))[0]).toBe('unsubscribe failed')
  const ended = await actionsOf(scene, end(wallet))
  expect(typesOf(ended)).toEqual(['unsubscribe'])
  expect(ended[0]?.details).toEqual({
    subscriber: rawOf(wallet),
    beneficiary: rawOf(shop),
    subscription: rawOf(plugin.address),
  })
  expect(
    (await scene.rows('accounts')).find(({ account }) => String(account).endsWith(keyEnd(plugin.address))),
  ).toMatchObject({ status: 'nonexist' })
})

const keyEnd = ({ hash }: AccountId): string => Buffer.from(hash).toString('hex')

test('the elector sends stakes back, and pays what it owes', async () => {
  const scene = await AssetScene.open()
  const elector = { workchain: -1, hash: ELECTOR_ACCOUNT }
  const validator = { workchain: -1, hash: new Uint8Array(32).fill(9) }
  const stake = () => scene.send({ from: validator, to: elector, value: 5n * coin, body: call(0x4e73744b) })
  const staked = await actionsOf(scene, stake)
  expect(typesOf(staked)[0]).toBe('election_deposit failed')
  expect(staked[0]?.details).toEqual({ stake_holder: rawOf(validator), amount: String(5n * coin) })
  const recover = () => scene.send({ from: validator, to: elector, body: call(0x47657424) })
  expect(typesOf(await actionsOf(scene, recover))[0]).toBe('election_recover failed')

  await scene.send({ from: validator, to: elector, value: 7n * coin })
  const [recovered] = await actionsOf(scene, recover)
  // An account without a contract cannot take it: what it is owed goes back to the elector.
  expect(recovered).toMatchObject({ type: 'election_recover', success: false })
  expect(recovered?.details.stake_holder).toBe(rawOf(validator))
  expect(Number(recovered?.details.amount)).toBeGreaterThan(7e9)
})
