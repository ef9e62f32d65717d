// What the page of a trace says when a message did not do what was asked of it: why, and where the money is.

import { Address, beginCell, external, internal, type MessageRelaxed, SendMode, storeMessage } from '@ton/ton'
import { expect, test } from 'vitest'
import { writeBocText } from '../../../server/cell/index.ts'
import { client, onOnePage, open, page, serveIndexed } from '../../setup/explorerScene.ts'
import { fundedWallet } from '../../setup/fundedWallet.ts'
import { madeCode } from '../../setup/madeContracts.ts'

const nowhere = new Address(0, Buffer.alloc(32, 0x55))
const contract = new Address(0, Buffer.alloc(32, 0x56))
const ROOM = { timeout: 300_000 }
let seqno = 0

const transfer = (to: Address, value: bigint, bounce = false): MessageRelaxed => internal({ to, value, bounce })

/** The page of what a wallet sends with mode 3, as wallets do: errors of its actions are ignored. */
async function openSent(...messages: readonly MessageRelaxed[]): Promise<void> {
  const { wallet, secretKey } = await fundedWallet(client)
  const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS
  const body = wallet.createTransfer({ seqno, secretKey, sendMode, messages: [...messages] })
  const message = beginCell().store(storeMessage(external({ to: wallet.address, body, init: wallet.init })))
  const { hash } = await client.sendBocReturnHash({ boc: message.endCell().toBoc().toString('base64') })
  seqno++
  const find = async () => (await client.v3.traces({ msg_hash: [hash] })).traces[0]
  await expect.poll(async () => (await find())?.trace_info.trace_state, ROOM).toBe('complete')
  await open(`/trace/${Buffer.from((await find())?.trace_id ?? '', 'base64').toString('hex')}`)
}

const why = (): Promise<string> => page.locator('.cause').innerText()

onOnePage(serveIndexed, () => {
  test('a transfer that its wallet left out for lack of TON, alone or beside another one', async () => {
    const tooMuch = transfer(nowhere, 10n ** 17n)
    await openSent(tooMuch)
    expect(await why()).toMatch(/^wallet4: 0 sent, 1 ignored\. .*lack of TON/)
    await page.locator('.phase.skipped').getByText('0 sent, 1 ignored').waitFor()
    await openSent(transfer(nowhere, 10n ** 9n), tooMuch)
    expect(await why()).toMatch(/^wallet4: 1 sent, 1 ignored\. /)
    await page.getByRole('tab', { name: 'List' }).click()
    await page.locator('.tree-row').getByText('1 ignored').waitFor()
    await open(`/address/${(await fundedWallet(client)).wallet.address}?tab=transactions`)
    expect(await page.locator('.badge').getByText('1 ignored').count()).toBe(2)
  })

  test('what was too little to be sent back, and what was not to be', async () => {
    await openSent(transfer(nowhere, 100n, true))
    expect(await why()).toMatch(/skipped: too little TON to buy gas; nothing was left to send back\.$/)
    const code = writeBocText(madeCode({}))
    const data = beginCell().endCell().toBoc().toString('base64')
    await client.dev.setAccount({ address: contract.toRawString(), balance: '1000000000', code, data })
    await openSent(transfer(contract, 10n ** 9n))
    expect(await why()).toMatch(/exit code 11: unknown error; the rest of the value stays there\. /)
    await openSent(transfer(contract, 10n ** 9n, true))
    expect(await why()).toMatch(/exit code 11: unknown error; the rest of the value was sent back\. /)
  })

  test('a stake that the elector refuses', async () => {
    const { wallet } = await fundedWallet(client)
    const body = beginCell().storeUint(0x4e73744b, 32).storeUint(7, 64).endCell().toBoc().toString('base64')
    const to = `-1:${'33'.repeat(32)}`
    const { tx_hash: hash } = await client.dev.sendInternal({
      from: wallet.address.toRawString(),
      to,
      value: '1000000000',
      body,
    })
    const find = async () => (await client.v3.traces({ tx_hash: [hash ?? ''] })).traces[0]
    await expect.poll(async () => (await find())?.trace_info.trace_state, ROOM).toBe('complete')
    await open(`/tx/${Buffer.from(hash ?? '', 'base64').toString('hex')}`)
    await expect.poll(why).toMatch(/^The elector refused the stake: no election is open, .* \(0\)\.$/)
  })
})
