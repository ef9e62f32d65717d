// How far the index is behind, what kind of contract an account is, and logical times of transactions.

import { expect, test } from 'vitest'
import { client, inBrowser, page, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const PATIENCE = { timeout: 300_000 }
const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

inBrowser(servePlayed, () => {
  const open = async (at: string) => {
    await page.goto(service.url + at)
    await page.locator('h1').waitFor()
    await expect.poll(() => page.locator('.waiting').count(), PATIENCE).toBe(0)
  }

  test('the first page says how many blocks the index is behind, when it is', async () => {
    await open('/')
    await page.locator('.facts').getByText('Newest block').waitFor()
    expect(await page.getByText('blocks behind').count()).toBe(0)
    await mockReplies(page, /\/$/, 'getMasterchainInfo', (_, real) => ({
      ...real,
      last: { ...real.last, seqno: real.last.seqno + 1_000_000 },
    }))
    await open('/')
    // Blocks may come meanwhile.
    await page.getByText(/^(?:1000\d{3}|999\d{3}) blocks behind$/).waitFor()
  })

  test('a trace says what kind of contract each account is, seen and heard', async () => {
    const { actions } = await client.v3.actions({ action_type: ['jetton_transfer'], limit: 1 })
    const at = `/trace/${hexOf(actions[0]?.trace_id ?? '')}`
    await open(at)
    const letters = () => page.locator('.node .node-kind').allTextContents()
    await expect.poll(letters).toContainEqual(expect.stringMatching(/\bJW$/))
    expect(await page.locator('.node > title').allTextContents()).toContainEqual(
      expect.stringMatching(/\(jetton wallet\): /),
    )
    await open(`${at}?as=list`)
    expect(await page.getByRole('treeitem', { name: /jetton wallet/ }).count()).toBe(
      (await page.locator('.tree .only-heard').allTextContents()).filter((text) => text === 'jetton wallet').length,
    )
    expect(await page.getByRole('treeitem', { name: /jetton wallet/ }).count()).toBeGreaterThan(1)
  })

  test('signatures of a block are checked by the browser, and one of another block is wrong', async () => {
    const { seqno } = (await client.v3.masterchainInfo()).last
    const checks = page.locator('[aria-label="Table of signatures"] tbody .badge')
    await open(`/block/${seqno}`)
    await expect.poll(() => checks.allTextContents(), PATIENCE).toContain('valid')
    expect(new Set(await checks.allTextContents())).toEqual(new Set(['valid']))
    const other = await client.getMasterchainBlockSignatures({ seqno: seqno - 1 })
    await mockReplies(page, new RegExp(`/block/${seqno}$`), 'getMasterchainBlockSignatures', (_, real) => ({
      ...real,
      signatures: other.signatures,
    }))
    await open(`/block/${seqno}`)
    await expect.poll(() => checks.allTextContents(), PATIENCE).toContain('wrong')
  })

  test('a browser that cannot check signatures says so', async () => {
    await page.addInitScript('crypto.subtle.digest = () => Promise.reject(new Error("none here"))')
    await open(`/block/${(await client.v3.masterchainInfo()).last.seqno}`)
    const table = page.locator('[aria-label="Table of signatures"]')
    await table.getByText('not checked').first().waitFor()
    expect(await table.getByText('not checked').count()).toBe(await table.locator('tbody tr').count())
  })

  test('the newest block of a chain whose clock is ahead is said to be ahead', async () => {
    const { id } = await client.dev.snapshot()
    await client.dev.increaseTime({ seconds: 7_200 })
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
    await open('/status')
    const age = page.locator('.facts > div', { has: page.getByText('Age of the newest indexed block') }).locator('dd')
    expect(await age.textContent()).toMatch(/^none: [12] h ahead of this computer's clock$/)
    await client.dev.revert({ id })
  })

  test('transactions of an account and of a block have their logical times', async () => {
    const { accounts } = await client.dev.state()
    const wallet = accounts.find(({ name }) => name === 'wallet4')?.address ?? ''
    const [newest] = (await client.v3.transactions({ account: [wallet], limit: 1 })).transactions
    for (const at of [
      `/address/${newest?.account}?tab=transactions`,
      `/block/0:8000000000000000:${newest?.block_ref.seqno}`,
    ]) {
      await open(at)
      const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: newest?.lt ?? '', exact: true }) })
      await row.first().waitFor()
      // Of a block, transactions of two accounts may have the same one.
      const link = row.locator(`a[href$="/tx/${hexOf(newest?.hash ?? '')}"]`)
      expect(await link.count()).toBeGreaterThan(0)
    }
  })
})
