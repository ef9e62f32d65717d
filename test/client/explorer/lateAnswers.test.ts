// What a page does with answers that come when a person has gone on, and with keys that are the browser's own.

import { afterEach, expect, test } from 'vitest'
import { BagBuilder, bagOf, EMPTY_CELL } from '../../../client/explorer/cell/build.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import { client, inBrowser, open, page, problems, serveIndexed } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

const EMPTY_HASH = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'

inBrowser(serveIndexed, () => {
  afterEach(() => expect(problems).toEqual([]))

  const friendlyOf = async (wanted: string) =>
    (await client.dev.state()).accounts.find(({ name }) => name === wanted)?.friendly ?? ''

  test('the head has the size of what is stored when the tab of the contract has read it', async () => {
    await open(`/address/${await friendlyOf('wallet3')}`)
    await page.getByRole('button', { name: 'Show the size' }).waitFor()
    await page.getByRole('tab', { name: 'Contract' }).click()
    await page.getByRole('button', { name: 'Save the file of the code' }).waitFor()
    await page.getByRole('button', { name: 'Show the size' }).waitFor({ state: 'detached' })
    expect(await page.locator('.facts').first().textContent()).toMatch(/Storagecode \d+ bytes in \d+ cells?, data/)
  })

  test('the keys by which a browser goes back and forward are left to it', async () => {
    const pressed = (selector: string, key: string) =>
      page.locator(selector).evaluate((element, name) => {
        const options = { key: name, altKey: true, bubbles: true, cancelable: true }
        return element.dispatchEvent(new KeyboardEvent('keydown', options))
      }, key)
    const { transactions } = await client.v3.transactions({ limit: 1 })
    await open(`/tx/${hexOf(transactions[0]?.hash ?? '')}?as=list`)
    expect(await pressed('[role="tab"][aria-selected="true"] >> nth=0', 'ArrowLeft')).toBe(true)
    await page.locator('[role="treeitem"]').first().focus()
    expect(await pressed('[role="treeitem"] >> nth=0', 'End')).toBe(true)
  })

  test('a browser that shows no notifications of pages has a message in the page', async () => {
    await page.addInitScript(() => {
      class Note {
        static readonly permission = 'granted'
        constructor() {
          throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.')
        }
      }
      Object.assign(globalThis, { Notification: Note })
    })
    const friendly = await friendlyOf('wallet5')
    await open(`/address/${friendly}`)
    const first = page.waitForResponse((reply) => reply.request().postData()?.includes('accountStates') ?? false)
    await page.getByRole('button', { name: 'Watch' }).click()
    await first
    await client.dev.faucet({ address: friendly, amount: '1000000000' })
    await page.locator('.toasts').getByText('New transaction of wallet5').waitFor()
  })

  test('why the proof of a block cannot be had is not said of another block', async () => {
    await client.dev.mine({ blocks: 2 })
    const { seqno } = (await client.v3.masterchainInfo()).last
    const go = (sign: string) => page.locator('.steps').getByText(sign).click()
    await open(`/block/${seqno - 2}`)
    await go('→')
    await page.getByRole('heading', { level: 1, name: `Block ${seqno - 1}` }).waitFor()
    await page.getByRole('button', { name: 'Save the proof' }).waitFor()
    await page.route(/\/jsonRPC$/, (route) =>
      (route.request().postData() ?? '').includes('getShardBlockProof') ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Save the proof' }).click()
    await page.getByRole('alert').waitFor()
    await go('←')
    await page.getByRole('heading', { level: 1, name: `Block ${seqno - 2}` }).waitFor()
    await page.getByRole('button', { name: 'Save the proof' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a signature that is wrong adds nothing to the weight of those that are not', async () => {
    await client.dev.mine({ blocks: 1 })
    const { seqno } = (await client.v3.masterchainInfo()).last
    const weight = page.locator('section[aria-labelledby="proof"] strong')
    await open(`/block/${seqno}`)
    expect(await weight.textContent()).toBe('100%')
    await mockReplies(page, /\/block\//, 'getMasterchainBlockSignatures', (_, real) => {
      const [first, ...others] = real.signatures
      return {
        ...real,
        signatures: [
          ...(first ? [first] : []),
          ...others.map((one) => ({ ...one, ...(first && { signature: first.signature }) })),
        ],
      }
    })
    await open(`/block/${seqno}`)
    await page.locator('.badge.bad', { hasText: 'wrong' }).first().waitFor()
    expect(await page.locator('.badge.good', { hasText: 'valid' }).count()).toBe(1)
    expect(Number.parseFloat((await weight.textContent()) ?? '')).toBeLessThan(60)
  })

  test('a page whose script is on its way has its heading', async () => {
    const held: (() => void)[] = []
    await page.route('**/explorer/Wallets-*.js', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await open('/config')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Wallets' }).click()
    await expect.poll(() => held.length).toBe(1)
    await page.locator('#main .waiting').waitFor({ state: 'attached' })
    expect(await page.locator('#main h1').allTextContents()).toEqual(['Wallets'])
    held[0]?.()
    await page.locator('#main .danger').waitFor()
    expect(await page.locator('#main h1').allTextContents()).toEqual(['Wallets'])
  })

  test('a person who has left the console is not brought back by the reply to a call', async () => {
    await open('/console/v3.topAccountsByBalance?limit=1')
    const release = await hold('topAccountsByBalance')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByRole('button', { name: 'Calling…' }).waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Wallets' }).click()
    await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor()
    release()
    const lastCalls = () => page.evaluate(() => localStorage.getItem('console-history'))
    await expect.poll(lastCalls).toContain('v3.topAccountsByBalance')
    expect(new URL(page.url()).pathname).toBe('/wallets')
    await open('/console/v3.topAccountsByBalance?limit=1')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByText('[1 item]', { exact: true }).waitFor()
  })

  test('one of the last calls of the method that is open comes back into its fields', async () => {
    await open('/console/v3.topAccountsByBalance?limit=1')
    const limit = page.getByLabel('limit')
    for (const many of ['1', '2']) {
      await limit.fill(many)
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.waitForURL((url) => url.searchParams.get('limit') === many)
    }
    await page.getByText('Last calls').click()
    await page.locator('.history li', { hasText: '{"limit":1}' }).getByRole('link').click()
    await page.waitForURL((url) => url.searchParams.get('limit') === '1')
    await expect.poll(() => limit.inputValue()).toBe('1')
    await page.goBack()
    await expect.poll(() => limit.inputValue()).toBe('2')
  })

  /** Calls of a method are answered when the returned function is called. */
  const hold = async (method: string) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/jsonRPC', async (route) => {
      if ((route.request().postData() ?? '').includes(method)) await released
      return route.continue()
    })
    return release
  }

  test('the reply to a call is not shown below another call of the method, which was opened meanwhile', async () => {
    await open('/console/v3.topAccountsByBalance?limit=3')
    for (const many of ['1', '3']) {
      await page.getByLabel('limit').fill(many)
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.getByText(many === '1' ? '[1 item]' : `[${many} items]`, { exact: true }).waitFor()
    }
    await page.getByLabel('limit').fill('2')
    const release = await hold('topAccountsByBalance')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByRole('button', { name: 'Calling…' }).waitFor()
    await page.getByText('Last calls').click()
    await page.locator('.history li', { hasText: '{"limit":1}' }).getByRole('link').click()
    await expect.poll(() => page.getByLabel('limit').inputValue()).toBe('1')
    release()
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor()
    expect(await page.getByLabel('limit').inputValue()).toBe('1')
    expect(new URL(page.url()).search).toBe('?limit=1')
    expect(await page.getByText('[2 items]', { exact: true }).count()).toBe(0)
  })

  test('the call that the address has comes back into fields that were changed since', async () => {
    await open('/console/v3.topAccountsByBalance?limit=1')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByText('[1 item]', { exact: true }).waitFor()
    await page.getByLabel('limit').fill('2')
    await page.getByText('Last calls').click()
    await page.locator('.history li', { hasText: '{"limit":1}' }).getByRole('link').click()
    await expect.poll(() => page.getByLabel('limit').inputValue()).toBe('1')
  })

  test('what the faucet did before is not said of what it is doing', async () => {
    await open('/lab')
    const outcome = page.getByRole('form', { name: 'Faucet' }).locator('.outcome')
    await page.locator('#faucet-to').fill('wallet5')
    await page.getByRole('button', { name: 'Send from the faucet' }).click()
    await outcome.waitFor()
    const release = await hold('dev.faucet')
    await page.getByRole('button', { name: 'Send from the faucet' }).click()
    await page.getByRole('button', { name: 'Sending… from the faucet' }).waitFor()
    expect(await outcome.count()).toBe(0)
    release()
    await outcome.waitFor()
  })

  test('a batch that was cleared while it was sent stays away, and the focus goes on from the page', async () => {
    await open('/console/v3.masterchainInfo')
    await page.getByRole('button', { name: 'Add to the batch' }).click()
    const release = await hold('v3.masterchainInfo')
    const tray = page.locator('.tray')
    await tray.getByRole('button', { name: 'Send' }).click()
    await tray.getByRole('button', { name: 'Sending…' }).waitFor()
    await tray.getByRole('button', { name: 'Clear' }).click()
    await tray.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    release()
    await page.getByRole('button', { name: 'Add to the batch' }).click()
    await tray.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await tray.locator('details').count()).toBe(0)
  })

  test('the hash of a cell that was shown before is not that of the one that is', async () => {
    await page.addInitScript(() => {
      const held: (() => void)[] = []
      const digest = crypto.subtle.digest.bind(crypto.subtle)
      crypto.subtle.digest = async (...given) => {
        await new Promise<void>((resolve) => held.push(resolve))
        return digest(...given)
      }
      Object.assign(globalThis, { held })
    })
    const release = (from: number, to?: number) =>
      page.evaluate(
        async (range) => {
          const { held } = globalThis as unknown as { held: (() => void)[] }
          for (const go of held.slice(...range)) go()
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
        },
        [from, to] as const,
      )
    const bag = bagOf(new BagBuilder().uint(1n, 8).end())
    await open(`/cell?boc=${encodeURIComponent(bag)}`)
    await page.getByRole('button', { name: 'Read as …' }).click()
    // The hash of the first one is begun a moment after the click.
    await expect.poll(() => page.evaluate('held.length')).toBe(1)
    await page.getByLabel('Bag of cells').fill(bagOf(EMPTY_CELL))
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('0 bits').waitFor()
    const hash = page.locator('.cell-hash code')
    const afterOthers = async () => {
      await release(1)
      return hash.textContent()
    }
    await expect.poll(afterOthers).toBe(EMPTY_HASH)
    await release(0, 1)
    expect(await hash.textContent()).toBe(EMPTY_HASH)
  })
})
