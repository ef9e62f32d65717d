// Whatever is minted, moved, burnt and bounced, and however often the chain goes back: the index says of balances what the
// contracts answer.

import { expect, test } from 'vitest'
import { readBoc } from '../../../../server/cell/index.ts'
import { intAt, readStack } from '../../../../server/contracts/index.ts'
import {
  jettonBurnBody,
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  offChainContent,
} from '../../../../server/demo/contracts/index.ts'
import { createDevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import { methodId } from '../../../../server/interfaces/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import { runParts } from '../../../../server/node/index.ts'
import { Random } from '../../../setup/random.ts'
import { own } from '../../devchain/actor.ts'
import { code } from '../../tvm/contracts.ts'
import { AssetScene, coin, keyOf, person } from './assetScene.ts'

const admin = person(1)
const broken = person(5)
const owners = [person(2), person(3), person(4)] as const
const everybody = [...owners, broken] as const
const master = jettonMasterInit({ admin, content: offChainContent('https://jetton.test/') })
const walletOf = (owner: AccountId) => jettonWalletInit(master.address, owner).address

/** Something that may fail: too much, by another account, with too few coins, to a wallet that takes nothing. */
async function step(scene: AssetScene, next: Random): Promise<void> {
  const by = next.pick(owners)
  const to = next.pick<AccountId>(everybody)
  const from = next.pick(owners)
  const value = next.chance(0.7) ? coin : BigInt(next.below(Number(coin / 5n)))
  const amount = next.chance(0.9) ? BigInt(next.below(400)) : 2n ** 120n - 1n
  const sender = next.chance(0.9) ? from : by
  const kind = next.below(3)
  if (kind === 0) {
    const body = jettonMintBody({
      queryId: 1n,
      to,
      amount: BigInt(next.below(1000)),
      value: value / 4n,
      responseTo: admin,
    })
    await scene.send({ from: admin, to: master.address, value: value + coin / 10n, body })
  } else if (kind === 1) {
    const forwardAmount = next.chance(0.5) ? 0n : coin / 20n
    const body = jettonTransferBody({ queryId: 2n, amount, to, responseTo: by, forwardAmount })
    await scene.send({ from: sender, to: walletOf(from), value, body })
  } else {
    await scene.send({
      from: sender,
      to: walletOf(from),
      value,
      body: jettonBurnBody({ queryId: 3n, amount, responseTo: by }),
    })
  }
}

async function answered({ chain, pool }: AssetScene, account: AccountId, method: string): Promise<bigint | null> {
  const { id } = chain.head().master
  const server = createDevchainLiteServer(chain, { pool })
  const answer = await server.runMethod(id, {
    account,
    methodId: methodId(method),
    params: new Uint8Array(0),
    mode: runParts.result,
  })
  server.close()
  return answer.exitCode === 0 && answer.result !== null ? (intAt(readStack(readBoc(answer.result)), 0) ?? null) : null
}

async function compare(scene: AssetScene): Promise<void> {
  const rows = await scene.rows('jetton_wallets')
  const balances = new Map(rows.map((row) => [row.account, row.balance]))
  for (const owner of everybody) {
    const balance = await answered(scene, walletOf(owner), 'get_wallet_data')
    expect([keyOf(owner), balances.get(keyOf(walletOf(owner))) ?? null]).toEqual([keyOf(owner), balance])
  }
  const [jetton] = await scene.rows('jetton_masters')
  expect(jetton?.total_supply).toBe(await answered(scene, master.address, 'get_jetton_data'))
  expect(rows.reduce((sum, { balance }) => sum + BigInt(String(balance)), 0n)).toBe(jetton?.total_supply)
}

/** Everything but the order in which contracts were met. */
const rowsAndEvents = (scene: Pick<AssetScene, 'rows' | 'events'>) =>
  Promise.all([
    ...['jetton_masters', 'jetton_wallets'].map(async (table) =>
      (await scene.rows(table)).map(({ id, ...row }) => row),
    ),
    ...['jetton_transfers', 'jetton_burns'].map((table) => scene.events(table)),
  ])

test('balances are those the wallets answer with, and together what was issued', async () => {
  const scene = await AssetScene.open()
  await scene.send({ from: admin, to: master })
  await scene.place(walletOf(broken), own(code.throwing), jettonWalletInit(master.address, broken).data)
  const next = new Random(7)
  const names: string[] = []
  for (let round = 0; round < 4; round++) {
    if (round % 2 === 0) names.push(await scene.chain.control.snapshot())
    for (let i = 0; i < 7; i++) await step(scene, next)
    await compare(scene)
    const name = names.pop()
    if (round % 2 === 1 && name !== undefined && round < 3) {
      await scene.chain.control.revert(name)
      await compare(scene)
    }
  }
  const events = await scene.events('jetton_transfers')
  expect(events.some(({ aborted }) => aborted)).toBe(true)
  expect(events.some(({ aborted }) => !aborted)).toBe(true)
  expect(await rowsAndEvents(await scene.again())).toEqual(await rowsAndEvents(scene))
  const known = new Set((await scene.rows('transactions', 'lt')).map(({ hash }) => hash))
  for (const table of ['jetton_transfers', 'jetton_burns'])
    for (const { tx_hash } of await scene.events(table)) expect(known).toContain(tx_hash)
})
