// Emulations on a chain whose clock was moved, before a block shows it, and at a time and with a random seed of the caller.

import { Address, beginCell, external, storeMessage } from '@ton/core'
import { expect, test } from 'vitest'
import { ask } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { compiled, createScene, type Emulated, RECEIVER, TRACE } from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual', seed: 'none' } }))
const { client, emulated, indexed, refused } = createScene(service)

/** Takes no message before the time in its data. */
const locked = `
tolk 1.3
fun accept(): void asm "ACCEPT"
fun onInternalMessage(in: InMessage) {}
fun onExternalMessage(_: slice) {
    assert (blockchain.now() >= contract.getData().beginParse().loadUint(32)) throw 200;
    accept();
}
`

test('they have the time of the next block, as what is sent then will have', async () => {
  const code = (await compiled(locked)).toBoc().toString('base64')
  const { utime } = await client().dev.state()
  const opens = utime + 3600
  const data = beginCell().storeUint(opens, 32).endCell().toBoc().toString('base64')
  await client().dev.setAccount({ address: RECEIVER, balance: '5000000000', code, data })
  await client().dev.mine({})
  await indexed()
  const body = beginCell().storeUint(7, 32).endCell()
  const cell = beginCell()
    .store(storeMessage(external({ to: Address.parse(RECEIVER), body })))
    .endCell()
  const boc = cell.toBoc().toString('base64')
  const gas = async () => {
    const fees = await client().estimateFee({ address: RECEIVER, body: body.toBoc().toString('base64') })
    return fees.source_fees.gas_fee
  }
  expect((await refused(TRACE, { boc }))[1]).toContain('200')
  expect(await gas()).toBe(0)

  await client().dev.snapshot({ label: 'before' })
  await client().dev.increaseTime({ seconds: 3600 })
  const { transactions, mc_block_seqno: seqno } = await emulated(TRACE, { boc })
  expect(Object.values(transactions).map(({ now }) => Number(now) >= opens)).toEqual([true])
  expect(await gas()).toBeGreaterThan(0)
  // Of a block that is named, the time is its own.
  expect((await refused(TRACE, { boc, mc_block_seqno: seqno }))[1]).toContain('200')

  await client().sendBoc({ boc })
  const pending = async (): Promise<Emulated[]> => {
    const { body } = await ask(service(), `/api/v3/pendingTraces?account=${RECEIVER}`)
    // The cast: the service answered with traces.
    return (body as unknown as { traces: Emulated[] }).traces
  }
  expect(await pending()).toHaveLength(1)
  await client().dev.mine({})
  await indexed()
  const { transactions: made } = await client().v3.transactions({ account: [RECEIVER], limit: 1 })
  expect(made[0]?.now).toBeGreaterThanOrEqual(opens)

  await client().dev.revert({ id: 'before' })
  expect((await refused(TRACE, { boc }))[1]).toContain('200')
})

/** Keeps a random number with each message. */
const dice = `
tolk 1.3
fun accept(): void asm "ACCEPT"
fun roll(): int asm "RANDU256"
fun onInternalMessage(in: InMessage) {}
fun onExternalMessage(_: slice) {
    accept();
    contract.setData(beginCell().storeUint(roll(), 256).endCell());
}
`

test('with the time and the random seed of an earlier one, an emulation is equal; with another seed it is another', async () => {
  const code = (await compiled(dice)).toBoc().toString('base64')
  const empty = beginCell().endCell()
  await client().dev.setAccount({
    address: RECEIVER,
    balance: '5000000000',
    code,
    data: empty.toBoc().toString('base64'),
  })
  await client().dev.mine({})
  await indexed()
  const cell = beginCell()
    .store(storeMessage(external({ to: Address.parse(RECEIVER), body: empty })))
    .endCell()
  const { utime } = await client().dev.state()
  const boc = cell.toBoc().toString('base64')
  const rolled = async (digits: string) =>
    (await emulated(TRACE, { boc, unixtime: utime, rand_seed: digits.repeat(32) })).trace.tx_hash
  const first = await rolled('01')
  expect(await rolled('01')).toBe(first)
  expect(await rolled('02')).not.toBe(first)
})
