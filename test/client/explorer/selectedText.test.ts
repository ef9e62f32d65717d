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
})
