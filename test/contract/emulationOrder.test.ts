// Messages of one trace that reach one account from several, emulated first and then sent for real.

import { Address, beginCell, external, storeMessage } from '@ton/core'
import { expect, test } from 'vitest'
import { ask, queryOf } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { compiled, createScene, type Emulated, fate, TRACE } from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual', seed: 'none' } }))
const { client, emulated, indexed } = createScene(service)

/**
 * Sends to the second account, the third, a fourth and again the third; the second passes its message on to the third, with
 * the logical time of the one to the fourth.
 */
const senders = `
tolk 1.3
fun accept(): void asm "ACCEPT"
fun pass(to: int) {
    val one = createMessage({ bounce: false, value: ton("0.1"), dest: address.fromWorkchainAndHash(BASECHAIN, to) });
    one.send(SEND_MODE_PAY_FEES_SEPARATELY);
}
fun onExternalMessage(_: slice) {
    accept();
    pass(2);
    pass(3);
    pass(4);
    pass(3);
}
fun onInternalMessage(in: InMessage) {
    pass(3);
}
`
/** Ends each message with the number of those before it. */
const counter = `
tolk 1.3
fun onInternalMessage(in: InMessage) {
    val before = contract.getData().beginParse().loadUint(8);
    contract.setData(beginCell().storeUint(before + 1, 8).endCell());
    commitContractDataAndActions();
    throw 100 + before;
}
`

test('messages of one trace reach an account in the order of their logical times, whoever sent them', async () => {
  const [sending, counting] = await Promise.all([compiled(senders), compiled(counter)])
  const data = beginCell().storeUint(0, 8).endCell().toBoc().toString('base64')
  for (const [at, code] of [sending, sending, counting].entries()) {
    const account = { address: `0:${String(at + 1).padStart(64, '0')}`, balance: '5000000000', data }
    await client().dev.setAccount({ ...account, code: code.toBoc().toString('base64') })
  }
  await client().dev.mine({})
  const message = beginCell()
    .store(storeMessage(external({ to: Address.parse(`0:${'1'.padStart(64, '0')}`) })))
    .endCell()
  const boc = message.toBoc().toString('base64')
  const said = await emulated(TRACE, { boc })
  await client().sendBoc({ boc })
  await client().dev.mine({})
  await indexed()
  const { body } = await ask(service(), `/api/v3/traces${queryOf({ msg_hash: [message.hash().toString('base64')] })}`)
  const [real] = body.traces as readonly Emulated[]
  if (real === undefined) throw new Error('the trace is not there')
  expect(fate(said.trace, said.transactions)).toEqual(fate(real.trace, real.transactions))
})

/** Sends to the masterchain, from where the message comes back, as nobody is there. */
const bouncing = `
tolk 1.3
fun accept(): void asm "ACCEPT"
fun onExternalMessage(_: slice) {
    accept();
    val one = createMessage({ bounce: true, value: ton("1"), dest: address.fromWorkchainAndHash(MASTERCHAIN, 5) });
    one.send(SEND_MODE_REGULAR);
}
fun onInternalMessage(_: InMessage) {
}
fun onBouncedMessage(_: InMessageBounced) {
}
`

test('a second message of an account is no earlier than what the first led to there, by way of the masterchain', async () => {
  const address = `0:${'6'.repeat(64)}`
  const code = (await compiled(bouncing)).toBoc().toString('base64')
  const data = beginCell().endCell().toBoc().toString('base64')
  await client().dev.setAccount({ address, balance: '5000000000', data, code })
  // Blocks that are seconds apart.
  for (let count = 0; count < 3; count++) {
    await client().dev.increaseTime({ seconds: 30 })
    await client().dev.mine({})
  }
  await indexed()
  const messages = ['one', 'two'].map((text) => {
    const body = beginCell().storeStringTail(text).endCell()
    const message = storeMessage(external({ to: Address.parse(address), body }))
    return beginCell().store(message).endCell().toBoc().toString('base64')
  })
  const said = await emulated(TRACE, { messages })
  expect(said.traces).toHaveLength(2)
  for (const boc of messages) await client().sendBoc({ boc })
  const { traces } = await client().v3.pendingTraces({ account: address })
  expect(traces.map(({ trace_info }) => trace_info.transactions)).toEqual([3, 3])
})
