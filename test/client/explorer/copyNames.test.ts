// Buttons that copy: a person who hears them, or reads what was copied, knows which one it is.

import { beforeAll, expect, test } from 'vitest'
import { client, inBrowser, open, page, service } from '../../setup/explorerScene.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

inBrowser(servePlayed, () => {
  let paths: readonly (readonly [path: string, shows: string, names: readonly string[]])[]

  beforeAll(async () => {
    const wallet = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet4')?.friendly
    const [newest] = (await client.v3.transactions({ account: [wallet ?? ''], limit: 1 })).transactions
    const hex = Buffer.from(newest?.hash ?? '', 'base64').toString('hex')
    paths = [
      [`/tx/${hex}`, '.panel .facts', ['hash of the transaction', 'hash of the selected transaction']],
      [`/tx/${hex}?view=messages`, '.panel .facts', ['hash of the received message']],
      [`/tx/${hex}?view=state`, '.panel tbody tr', ['hash of the data before', 'hash of the data after']],
      [`/block/${newest?.mc_block_seqno}`, '#main .facts', ['root hash', 'file hash']],
      [`/address/${wallet}?tab=contract`, '[aria-label="Data"]', ['hash of the code below', 'code hash']],
    ]
  })

  test('no two of a page have one name', async () => {
    for (const [path, shows, names] of paths) {
      await page.goto(service.url + path)
      await page.locator(shows).first().waitFor()
      const buttons = page.locator(':is(.hash, .heading) > button.copy')
      const all = await buttons.evaluateAll((found) => found.map((one) => one.getAttribute('aria-label')))
      expect(all, path).toEqual(expect.arrayContaining(names.map((name) => `Copy the ${name}`)))
      expect(all, path).toEqual([...new Set(all)])
    }
  })

  test('a heading is what it names, without the button beside it', async () => {
    const [[path = ''] = []] = paths
    await open(path)
    const headed = (wanted: string) => page.getByRole('heading', { level: 1, name: wanted, exact: true }).waitFor()
    await headed(`Transaction ${path.slice(4)}`)
    const button = page.getByRole('button', { name: 'Copy the hash of the transaction' })
    const heading = await page.locator('h1').boundingBox()
    const beside = await button.boundingBox()
    expect(beside?.y).toBeLessThan((heading?.y ?? 0) + (heading?.height ?? 0))
    await open(path.replace('tx', 'trace'))
    await page.getByRole('button', { name: 'Copy the hash of the trace' }).waitFor()
    await headed(`Trace ${path.slice(4)}`)
  })

  test('the title of the tab calls an account what its page calls it, whatever form it was opened in', async () => {
    const wallet = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet4')
    for (const address of [wallet?.address, wallet?.friendly]) {
      await open(`/address/${address}`)
      await expect.poll(() => page.title()).toMatch(/^Account wallet4 · /)
    }
    await page.getByRole('link', { name: 'Explorer', exact: true }).click()
    await expect.poll(() => page.title()).toMatch(/^Explorer · /)
  })

  test('what is pressed or filled in has a name of its own', async () => {
    const wallet = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet4')?.friendly
    const views = [
      ['/lab', '.compose'],
      ['/validators', '.chart-values'],
      [`/address/${wallet}?tab=methods`, '.methods .facts dd'],
      [`/address/${wallet}?tab=contract`, '[aria-label="Data"]'],
      ['/wallets', '#main tbody .amount'],
      ['/config', '#main .param'],
    ] as const
    for (const [at, shows] of views) {
      await open(at)
      await page.locator(shows).first().waitFor()
      if (at === '/wallets' || at === '/config')
        await page.locator('#main details').evaluateAll((all) => {
          for (const one of all) if (one instanceof HTMLDetailsElement) one.open = true
        })
      const names = await page.locator('#main :is(button, summary, input, select)').evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility())
          .map((one) => {
            const [label] =
              one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? (one.labels ?? []) : []
            return one.getAttribute('aria-label') ?? (label ?? one).textContent
          }),
      )
      expect(names, at).toEqual([...new Set(names)])
      const heights = await page
        .locator('#main :is(button.small, summary)')
        .evaluateAll((all) =>
          all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().height),
        )
      expect(Math.min(24, ...heights), at).toBe(24)
    }
  })

  test.each([
    ['/wallets', '#main tbody .copy', 'address of wallet4'],
    ['messages', '.panel .bag', 'body of the received message as base64'],
  ])('those of addresses and bodies on %s name what they copy', async (view, shows, name) => {
    await page.goto(`${service.url}${view.startsWith('/') ? view : `${paths[0]?.[0]}?view=${view}`}`)
    await page.locator(shows).first().waitFor()
    await page
      .getByRole('button', { name: `Copy the ${name}`, exact: true })
      .first()
      .waitFor()
    // The same account twice has one name.
    const copied = await page.locator('#main button.copy').evaluateAll((all) =>
      all.map((one, at) => {
        const of = one.closest<HTMLElement>('[data-address]')?.dataset.address ?? `${at}`
        return { name: one.getAttribute('aria-label') ?? '', of }
      }),
    )
    for (const { name, of } of copied)
      expect(
        copied.filter((other) => other.name === name && other.of !== of),
        name,
      ).toEqual([])
  })
})
