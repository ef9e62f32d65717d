// A contract that loads its code out of a public library while it runs, as the chain runs it and as it is tried out.

import { Address, beginCell, Cell, external, internal, storeMessage, storeMessageRelaxed, toNano } from '@ton/core'
import { beforeAll, expect, test } from 'vitest'
import { ask, post, queryOf } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { createScene, TRACE } from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const { client, emulated, indexed } = createScene(service)

const codeOf = (hex: string, ...refs: readonly Cell[]): Cell => {
  const code = beginCell().storeBuffer(Buffer.from(hex, 'hex'))
  for (const ref of refs) code.storeRef(ref)
  return code.endCell()
}
const base64 = (cell: Cell): string => cell.toBoc().toString('base64')
const referenceTo = (library: Cell): Cell =>
  beginCell().storeUint(2, 8).storeBuffer(library.hash()).endCell({ exotic: true })

const LIBRARIAN = `-1:${'7a'.repeat(32)}`
/** `DROP LDREF 8 LDU DROP SETLIBCODE`: publishes what the message brings. */
const publishing = codeOf('30d4d30730fb06')
/** `ACCEPT` and `PUSHREF CTOS BLESS EXECUTE`: the second library is loaded by the first. */
const accepting = codeOf('f800')
const passing = codeOf('88d0ed1ed8', referenceTo(accepting))
const loading = codeOf('88d0ed1ed8', referenceTo(passing))

beforeAll(async () => {
  const { dev } = client()
  await dev.setAccount({
    address: LIBRARIAN,
    balance: '9000000000',
    code: base64(publishing),
    data: base64(Cell.EMPTY),
  })
  for (const library of [accepting, passing]) {
    const body = base64(beginCell().storeUint(2, 8).storeRef(library).endCell())
    await dev.sendInternal({ from: LIBRARIAN, to: LIBRARIAN, value: '1000000000', body })
  }
  await dev.mine({})
})

test('libraries are found that code refers to from within, in emulation, in a replay and in estimated fees', async () => {
  const { dev, estimateFee } = client()
  const address = `0:${'7b'.repeat(32)}`
  await dev.setAccount({ address, balance: '5000000000', code: base64(loading), data: base64(Cell.EMPTY) })
  await dev.mine({ blocks: 2 })
  await indexed()

  const message = beginCell()
    .store(storeMessage(external({ to: Address.parse(address) })))
    .endCell()
  const said = await emulated(TRACE, { boc: base64(message) })
  expect(said.transactions[said.trace.tx_hash]).toMatchObject({ description: { aborted: false } })
  const fees = await estimateFee({ address, body: base64(Cell.EMPTY), ignore_chksig: true })
  expect(fees.source_fees.gas_fee).toBeGreaterThan(0)

  await client().sendBoc({ boc: base64(message) })
  await dev.mine({ blocks: 1 })
  await indexed()
  const hash = message.hash().toString('base64')
  const { body } = await ask(service(), `/api/v3/transactionsByMessage${queryOf({ msg_hash: [hash] })}`)
  const [real] = body.transactions as readonly { readonly hash: string }[]
  const again = await post(service(), '/api/emulate/v1/replay', { tx_hash: real?.hash })
  expect(again.body).toMatchObject({ is_equal: true, exit_code: 0 })
})

/** `ACCEPT DROP LDREF DROP 0 SENDRAWMSG`: sends the message it is brought. */
const relaying = codeOf('f80030d43070fb00')
/** References to libraries that are not there, more than are looked up. */
const missing = Array.from({ length: 100 }, (_, i) => referenceTo(codeOf(i.toString(16).padStart(2, '0')))).reduce(
  (rest, one) => codeOf('', one, rest),
  Cell.EMPTY,
)

test('code that is a library is found, however many an account before it refers to in its data', async () => {
  const first = `0:${'7c'.repeat(32)}`
  const second = `0:${'7d'.repeat(32)}`
  const account = (code: Cell, data: Cell) => ({ balance: '5000000000', code: base64(code), data: base64(data) })
  const passedOn = beginCell()
    .store(storeMessageRelaxed(internal({ to: Address.parse(second), value: toNano(1), bounce: false })))
    .endCell()
  const message = external({ to: Address.parse(first), body: beginCell().storeRef(passedOn).endCell() })
  const said = await emulated(TRACE, {
    boc: base64(beginCell().store(storeMessage(message)).endCell()),
    state_overrides: { [first]: account(relaying, missing), [second]: account(referenceTo(accepting), Cell.EMPTY) },
  })
  const [child] = said.trace.children
  expect(said.transactions[child?.tx_hash ?? '']).toMatchObject({ description: { aborted: false } })
})
