// Messages that ask for the new form of a bounce, on the embedded chain: what comes back of them, and how it is shown.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { expect, test } from 'vitest'
import { ask } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { compiled, createScene, type Emulated, type Fields, RECEIVER, TRACE } from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual', seed: 'none' } }))
const { client, emulated, indexed, walletOf } = createScene(service)

const refusing = `
tolk 1.3
fun onInternalMessage(in: InMessage) {
    throw 77;
}
`

test('a message that asks for it comes back whole, with why it did: emulated, pending and indexed', async () => {
  const code = (await compiled(refusing)).toBoc().toString('base64')
  const data = beginCell().endCell().toBoc().toString('base64')
  await client().dev.setAccount({ address: RECEIVER, balance: '5000000000', code, data })
  await client().dev.mine({})
  const { wallet, secretKey } = await walletOf('v4r2')
  if (!(wallet instanceof WalletContractV4)) throw new Error('another wallet')
  const excess = beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).storeRef(beginCell().storeUint(5, 8)).endCell()
  const order = (extraFlags: bigint) => {
    const message = internal({ to: Address.parse(RECEIVER), value: toNano(1), bounce: true, body: excess })
    if (message.info.type !== 'internal') throw new Error('another message')
    return { ...message, info: { ...message.info, ihrFee: extraFlags } }
  }
  const body = wallet.createTransfer({
    seqno: 0,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [order(0n), order(1n), order(3n)],
  })
  const cell = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell()
  const boc = cell.toBoc().toString('base64')

  const back = (transactions: Readonly<Record<string, Fields>>) =>
    Object.values(transactions)
      .map(({ in_msg }) => in_msg as Fields)
      .filter(({ bounced }) => bounced === true)
      .sort((a, b) => Number(BigInt(String(a.created_lt)) - BigInt(String(b.created_lt))))
  const shown = (messages: readonly Fields[]) =>
    messages.map(({ opcode, decoded_opcode: name, message_content: content }) => {
      const { decoded } = content as { decoded: Fields | null }
      return { opcode, name, type: decoded?.['@type'], code: decoded?.exit_code, original: decoded?.original_body }
    })
  const original = { cell_reference: { '@type': 'excess', query_id: '7' } }
  const whole = { opcode: '0xfffffffe', name: 'new_bounce_body', type: 'new_bounce_body', code: '77', original }
  const expected = [{ opcode: '0xffffffff', name: 'bounce', type: 'bounce' }, whole, whole]
  expect(shown(back((await emulated(TRACE, { boc })).transactions))).toEqual(expected)
  await client().sendBoc({ boc })
  const traces = async (path: string): Promise<Emulated[]> => {
    const { body } = await ask(service(), `/api/v3/${path}`)
    // The cast: the service answered with traces.
    return (body as unknown as { traces: Emulated[] }).traces
  }
  const [pending] = await traces(`pendingTraces?account=${wallet.address.toRawString()}`)
  expect(shown(back(pending?.transactions ?? {}))).toEqual(expected)
  await client().dev.mine({ blocks: 3 })
  await indexed()
  const [made] = await traces(`traces?account=${RECEIVER}&limit=1&sort=desc`)
  expect(shown(back(made?.transactions ?? {}))).toEqual(expected)
})
