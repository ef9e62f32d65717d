// What a person copies by selecting a part of a page.

import { expect, test } from 'vitest'
import { client, inBrowser, open, page, serveIndexed } from '../../setup/explorerScene.ts'

inBrowser(serveIndexed, () => {
  test('a row of a table is one line, with its addresses and hashes whole', async () => {
    const { tx_hash } = await client.dev.faucet({ address: `0:${'78'.repeat(32)}`, amount: '1234000000' })
    if (!tx_hash) throw new Error('no block has the transaction')
    const path = `/address/0:${'78'.repeat(32)}?tab=transactions`
    await expect.poll(async () => (await client.v3.traces({ tx_hash: [tx_hash] })).traces.length).toBe(1)
    await open(path)
    const selected = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const selection = one.ownerDocument.getSelection()
          selection?.selectAllChildren(one)
          return selection?.toString().trimEnd()
        })
    expect(await selected('tbody tr')).toMatch(/^[0-9a-f]{64}\t.*\ttransfer\tfaucet\tno code ran\t.*\t\d+$/)
    await open(path.replace('transactions', 'history'))
    expect(await selected('.history-row .sentence')).toMatch(/^faucet sent 1\.234 TON to [\w-]{48}$/)
    await open('/wallets')
    expect(await selected('tbody tr:nth-child(2) td:nth-child(3)')).toMatch(/^[\w-]{48}$/)
  })

  test('rows of a table that are copied have numbers to add up, dates, and whole addresses', async () => {
    const account = `0:${'79'.repeat(32)}`
    for (const amount of ['1234000000000', '1000000']) await client.dev.faucet({ address: account, amount })
    const sent = async () => (await client.v3.transactions({ account: [account] })).transactions
    await expect.poll(async () => (await sent()).length).toBe(2)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const loaded = page.waitForResponse(/\/tableCopy-/)
    await open(`/address/${account}?tab=transactions`)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    await page.locator('#main table').evaluate((one) => one.ownerDocument.getSelection()?.selectAllChildren(one))
    await loaded
    const copied = async () => {
      await page.keyboard.press('ControlOrMeta+c')
      return await page.evaluate(async () => {
        const [item] = await navigator.clipboard.read()
        const text = async (type: string) => (await item?.getType(type))?.text() ?? ''
        const html = new DOMParser().parseFromString(await text('text/html'), 'text/html')
        const cells = [...html.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.textContent))
        return { lines: (await text('text/plain')).split('\n').map((line) => line.split('\t')), cells }
      })
    }
    // The script runs soon after it is there. Between the payments the account may have paid for its storage.
    await expect
      .poll(async () => (await copied()).lines.map((line) => line[6]))
      .toEqual(['Change, TON', expect.stringMatching(/^\+0\.00(1|0999\d+)$/), '+1234'])
    const { lines, cells } = await copied()
    expect(cells).toEqual(lines)
    for (const [hash, time] of lines.slice(1))
      expect([hash, time]).toEqual([
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
      ])
    await page.locator('#main tbody').evaluate((one) => one.ownerDocument.getSelection()?.selectAllChildren(one))
    expect((await copied()).lines).toEqual(lines)
    // In some browsers a field has a selection of its own, and rows stay selected beside it.
    const isTaken = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const copying = { bubbles: true, cancelable: true, clipboardData: new DataTransfer() }
          return !one.dispatchEvent(new ClipboardEvent('copy', copying))
        })
    expect([await isTaken('#main table'), await isTaken('input')]).toEqual([true, false])
  })
})
