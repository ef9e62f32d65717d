// One call of a page fails while the others do not: the page says which part is missing, and has it when asked again.

import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Api } from '../../../shared/registry.ts'
import { client, inBrowser, page, problems, service } from '../../setup/explorerScene.ts'
import { mockMethods } from '../../setup/mockedReplies.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

const TRIES = 5

/** No block comes here, after which a page asks again for what a busy service did not give: it is opened anew. */
async function openUntil(address: string, part: Locator): Promise<void> {
  for (let tries = 1; ; tries++) {
    await page.goto(address)
    const isShown = await part.waitFor({ timeout: 60_000 }).then(
      () => true,
      () => false,
    )
    if (isShown) return
    if (tries === TRIES) throw new Error(`The page does not say so, but: ${await page.locator('body').innerText()}`)
  }
}

inBrowser(servePlayed, () => {
  const places = { home: '/', wallet: '', named: '', item: '', methods: '', flow: '' }

  beforeAll(async () => {
    const { accounts } = await client.dev.state()
    const { nft_items: items } = await client.v3.nft.items({ limit: 100 })
    const item = items.find((one) => one.collection_address !== null)
    const [newest] = (await client.v3.transactions({ limit: 1, exclude_system: true })).transactions
    places.wallet = `/address/${accounts.find(({ name }) => name === 'wallet4')?.friendly}`
    const [alice] = (await client.v3.dns.records({ domain: 'alice.ton' })).records
    places.named = `/address/${alice?.dns_wallet}`
    places.item = `/address/${item?.address}`
    places.methods = `/address/${item?.collection_address}?tab=methods`
    places.flow = `/tx/${Buffer.from(newest?.hash ?? '', 'base64').toString('hex')}?as=flow`
  })

  test.each<readonly [place: keyof typeof places, search: string, method: keyof Api, says: RegExp, shows: string]>([
    ['home', '', 'v3.blocks', /Internal error/, '.blocks a'],
    ['home', '', 'v3.actions', /Internal error/, '.rows .row'],
    ['wallet', '?until=2020-01-01', 'v3.transactions', /Last activity: Internal error/, 'dt:text-is("Last activity")'],
    ['wallet', '', 'v3.pendingActions', /What is pending: Internal error/, '.history-row'],
    ['named', '?tab=nfts', 'v3.dns.records', /Names that lead here: Internal error/, '.domains li'],
    ['item', '', 'v3.nft.items', /As a token: Internal error/, 'dt:text-is("Owner")'],
    ['methods', '', 'v3.runGetMethod', /Results without arguments: Internal error/, '.methods .facts dd'],
    ['flow', '', 'v3.balanceChanges', /Tokens: Internal error/, '#main table'],
  ])('%s%s without %s', async (place, search, method, says, shows) => {
    // A page that connects asks again by itself.
    await page.routeWebSocket(/jsonRPC/, () => undefined)
    await mockMethods(page, /\/($|address|tx)/, { [method]: null })
    const alert = page.getByRole('alert').filter({ hasText: says })
    await openUntil(service.url + places[place] + search, alert.first())
    expect(await alert.count()).toBe(1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
    await page.locator(shows).first().waitFor()
    expect(problems).toEqual([])
  })
})
