// What the maker of a token says of it, on its page: a picture, a description, attributes. Makers may be hostile.

import { createServer } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { client, inBrowser, open, page, problems, service } from '../../setup/explorerScene.ts'
import { makeToken, type TokenFields } from '../../setup/madeToken.ts'
import { serve } from '../../setup/service.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const LINK = `data:image/png;base64,${PNG}`

/** A picture that would take 14 GB of memory. */
const huge = Buffer.from(PNG, 'base64')
huge.writeUInt32BE(60_000, 16)
huge.writeUInt32BE(60_000, 20)
const HUGE = `data:image/png;base64,${huge.toString('base64')}`

let requested: string[]

const head = () => page.getByRole('region', { name: 'Account', exact: true })
const fact = (name: string) =>
  head()
    .locator('.facts > div', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
const isAtHome = (url: string): boolean =>
  url.startsWith(service.url) || url.startsWith('data:') || url.startsWith('blob:')

const noted = () =>
  beforeEach(() => {
    requested = []
    page.on('request', (request) => requested.push(request.url()))
  })

/** A listener that counts who comes, as a router at home would. */
async function privateHost() {
  let taken = 0
  const server = createServer((socket) => {
    taken++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the host has no port')
  return { port: address.port, taken: () => taken, [Symbol.dispose]: () => void server.close() }
}

async function isWithin(width: number): Promise<boolean> {
  await page.setViewportSize({ width, height: 800 })
  return await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
}

describe('with --metadata on', () => {
  inBrowser(
    () => serve({ withIndex: true, config: { metadata: 'on' } }),
    () => {
      noted()

      const item = (description: unknown) => makeToken(client, { kind: 'item', content: { description } })

      /** Descriptions are read by and by. */
      async function described(raw: string): Promise<void> {
        await expect.poll(async () => (await client.v3.metadata({ address: [raw] }))[raw]?.is_indexed).toBe(true)
      }

      test('an item shows its picture, its description and its attributes', async () => {
        const raw = await item({
          name: 'Plush Pepe',
          description: 'The first line.\nThe <b>second</b> one.',
          image: LINK,
          attributes: [{ trait_type: 'Model', value: 'Gucci' }, { trait_type: 'Rarity', value: 0.5 }, 'none', null],
          external_url: 'https://example.com/pepe',
        })
        await described(raw)
        await open(`/address/${raw}`)
        const picture = head().getByRole('img', { name: 'Picture of Plush Pepe' })
        await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1)
        expect(await fact('Description').textContent()).toBe('The first line. The <b>second</b> one.')
        await page.getByRole('heading', { level: 1, name: 'Account Plush Pepe', exact: true }).waitFor()
        await expect.poll(() => page.title()).toMatch(/^Account Plush Pepe · /)
        const rows = head().getByRole('region', { name: 'Attributes' }).locator('tbody tr')
        expect(await rows.allInnerTexts()).toEqual(['Model\tGucci', 'Rarity\t0.5'])
        await page.getByText('All of the metadata').click()
        await head().getByText('"https://example.com/pepe"').waitFor()
        expect(await head().locator('a[href*="example.com"]').count()).toBe(0)
        expect(requested.filter((url) => !isAtHome(url))).toEqual([])
        expect(problems).toEqual([])
      })

      test('what a hostile maker writes stays in its place, as text', async () => {
        const long = 'W'.repeat(10_000)
        const raw = await item({
          name: `\u202e${long}`,
          description: `<img src=x onerror=alert(1)>\u202e${long}`,
          image: 'javascript:alert(1)',
          attributes: [
            { trait_type: `\u202e${long.slice(8_000)}`, value: long.slice(8_000) },
            { trait_type: '<script>', value: { deep: [1, 2] } },
            { trait_type: ['a'], value: null },
            ...Array.from({ length: 60 }, (_, at) => ({ trait_type: `T${at}`, value: `Z${'\u0301'.repeat(40)}` })),
          ],
        })
        await described(raw)
        await open(`/address/${raw}`)
        const rows = head().getByRole('region', { name: 'Attributes' }).locator('tbody tr')
        expect(await rows.count()).toBe(40)
        await head().getByText('and 23 more').waitFor()
        expect((await fact('Description').textContent())?.length).toBe(600)
        expect(await head().textContent()).not.toContain('\u202e')
        expect(await head().locator('script, img[src="x"]').count()).toBe(0)
        expect(await isWithin(360)).toBe(true)
        await page.getByText('All of the metadata').click()
        await head().getByRole('button', { name: 'Copy JSON' }).waitFor()
        expect(await isWithin(360)).toBe(true)
        expect(await head().textContent()).not.toContain('\u202e')
        expect(requested.filter((url) => !isAtHome(url))).toEqual([])
        expect(problems).toEqual([])
      })

      test('a picture at a private address, or too large to be shown, is initials, and no one is called', async () => {
        using host = await privateHost()
        for (const image of [
          `https://127.0.0.1:${host.port}/a.png`,
          `https://localhost:${host.port}/a.png`,
          HUGE,
          'ipfs://',
        ]) {
          const raw = await item({ name: 'Broken Picture', description: image.slice(0, 40), image })
          await described(raw)
          await open(`/address/${raw}`)
          await expect.poll(() => head().locator('.initials').textContent(), { message: image.slice(0, 40) }).toBe('BP')
          expect(await head().getByRole('img').count()).toBe(0)
        }
        expect(host.taken()).toBe(0)
        expect(requested.filter((url) => !isAtHome(url))).toEqual([])
      })
    },
  )
})

describe('without --metadata', () => {
  inBrowser(
    () => serve({ withIndex: true }),
    () => {
      noted()

      const jetton = (fields: TokenFields) => makeToken(client, { kind: 'jetton', content: { fields } })

      test.each([
        ['as a link', { image: LINK }],
        ['as bytes', { image_data: Buffer.from(PNG, 'base64') }],
      ])('a picture that is on chain is shown: %s', async (_, fields) => {
        const raw = await jetton({ name: 'On Chain', symbol: 'OC', description: 'All of it is here.', ...fields })
        await open(`/address/${raw}`)
        const picture = head().getByRole('img', { name: 'Picture of On Chain' })
        await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1)
        expect(await fact('Description').textContent()).toBe('All of it is here.')
      })

      test('one at a link is not asked for, and the page says why', async () => {
        const raw = await jetton({ name: 'Linked', image: 'https://example.com/a.png' })
        await open(`/address/${raw}`)
        expect(await head().locator('.picture, .initials').count()).toBe(0)
        await page.getByText('All of the metadata').click()
        await head().getByText('This service fetches no pictures from other hosts.').waitFor()
        await head().getByText('"https://example.com/a.png"').waitFor()
        expect(requested.filter((url) => url.includes('/explorer/image/') || !isAtHome(url))).toEqual([])
      })
    },
  )
})
