// What a person pastes may be longer than an address that the service reads: it is shown, and shown again when the page is loaded again.

import { beginCell } from '@ton/core'
import { expect, test } from 'vitest'
import { inBrowser, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'

/** Cells in cells, each other than the others. */
function bagOf(cells: number): string {
  let cell = beginCell().endCell()
  for (let at = 1; at < cells; at++)
    cell = beginCell().storeStringTail(`${at}`.padStart(120, '.')).storeRef(cell).endCell()
  return cell.toBoc().toString('base64')
}

inBrowser(serveIndexed, () => {
  const shows = (text: string) => page.locator('#main').getByText(text).first().waitFor()

  test('a long bag of cells is shown from the search, after a reload and after steps back and forward', async () => {
    const bag = bagOf(200)
    expect(bag.length).toBeGreaterThan(30_000)
    await page.goto(`${service.url}/search?q=wallet`)
    const search = page.locator('#q')
    await search.fill(bag)
    await search.press('Enter')
    await shows('200 cells')
    expect((await page.reload())?.status()).toBe(200)
    await shows('200 cells')
    await page.goBack()
    await shows('wallet1')
    await page.goForward()
    await shows('200 cells')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Console' }).click()
    await page.locator('.method-list').waitFor()
    expect(problems).toEqual([])
  })

  test('a call with a long parameter is there again after a reload', async () => {
    const bag = bagOf(100)
    await page.goto(`${service.url}/console/v3.decode`)
    await page.locator('#param-bodies').fill(bag)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.locator('.reply, #main [role="alert"]').first().waitFor()
    expect((await page.reload())?.status()).toBe(200)
    await page.locator('#param-bodies').waitFor()
    expect(await page.locator('#param-bodies').inputValue()).toBe(bag)
  })

  test('a short one is in the address, for others', async () => {
    await page.goto(`${service.url}/cell`)
    await page.locator('#boc').fill(bagOf(3))
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shows('3 cells')
    expect(new URL(page.url()).searchParams.get('boc')).toBe(bagOf(3))
  })
})
