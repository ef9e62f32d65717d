// Addresses in the forms of other networks than the one of the service, and names in place of addresses.

import { describe, expect, test } from 'vitest'
import { parseAddress, toFriendly } from '../../../shared/address.ts'
import { inBrowser, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'

const HASH = 'EF'.repeat(32)
const MARK = 'The form of this address is for test networks.'
const UNMARKED = 'In this form it is mostly meant for mainnet'

function formOf(testOnly: boolean): string {
  const address = parseAddress(`0:${HASH}`)
  if (address === null) throw new Error('no address')
  return toFriendly({ ...address, testOnly })
}

async function open(subject: string): Promise<string> {
  await page.goto(`${service.url}/address/${subject}`)
  // Where no lite server is connected, an error is in place of the account.
  await page.locator('[aria-label="Account"], #main [role="alert"]').first().waitFor()
  return (await page.locator('#main').textContent()) ?? ''
}

describe('on mainnet', () => {
  inBrowser(
    () => serve({ withIndex: true, config: { network: 'mainnet', explorer: 'on' } }),
    () => {
      test('an address that is marked for test networks is said to be one', async () => {
        expect(await open(formOf(true))).toContain(MARK)
        for (const subject of [formOf(false), `0:${HASH}`]) expect(await open(subject)).not.toContain(MARK)
      })
    },
  )
})

describe('on a test network', () => {
  inBrowser(serveIndexed, () => {
    test('where nothing is, an address without its mark is said to be mostly of mainnet', async () => {
      expect(await open(formOf(false))).toContain(UNMARKED)
      for (const subject of [formOf(true), `0:${HASH}`]) {
        const words = await open(subject)
        expect(words).toContain('Nothing was deployed here yet.')
        expect(words).not.toContain(UNMARKED)
      }
    })

    test.each(['wallet4', 'Elector'])('the path of the name %s leads to its account', async (name) => {
      await page.goto(`${service.url}/address/${name}`)
      await page.locator('.empty .address a').click()
      await page.getByRole('heading', { level: 1, name: `Account ${name.toLowerCase()}` }).waitFor()
    })

    test('the path of a domain leads to the search, without words for programs', async () => {
      await page.goto(`${service.url}/address/alice.ton`)
      await page.getByRole('link', { name: 'What this name leads to' }).waitFor()
      expect(await page.locator('#main').textContent()).not.toContain('dnsResolve')
      await page.getByRole('link', { name: 'What this name leads to' }).click()
      await page.getByRole('heading', { level: 1, name: 'Search: alice.ton' }).waitFor()
    })
  })
})
