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
