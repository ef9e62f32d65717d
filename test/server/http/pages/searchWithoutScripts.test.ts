// The search as browsers without scripts and curl see it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../../../../client/index.ts'
import { servePlayed } from '../../../setup/playedDemo.ts'
import type { TestService } from '../../../setup/service.ts'

let service: TestService
let client: Client

beforeAll(async () => {
  service = await servePlayed()
  client = createClient({ url: service.url })
})
afterAll(() => service[Symbol.asyncDispose]())

const pageOf = async (query: string): Promise<string> => {
  const reply = await fetch(`${service.url}/search?${query}`, { headers: { accept: 'text/html' } })
  return await reply.text()
}

const search = (text: string): Promise<string> => pageOf(`q=${encodeURIComponent(text)}`)

test.each(['wallet4', 'Faucet', 'elector'])('%s is an account, as with scripts', async (name) => {
  const text = await search(name)
  expect(text).toMatch(/<dt>account<\/dt><dd><a [^>]*address\/(?:0|-1):/)
  expect(text).not.toContain('<dt>Note')
})

/** Where the search box leads that a page without scripts posts. */
async function postedTo(text: string): Promise<[number, string | null]> {
  const body = new URLSearchParams({ q: text })
  const { status, headers } = await fetch(`${service.url}/search`, { method: 'POST', body, redirect: 'manual' })
  return [status, headers.get('location')]
}

test.each([
  [' wallet4 ', 'search?q=wallet4'],
  ['0:8000000000000000:352', 'search?q=0%3A8000000000000000%3A352'],
  ['//elsewhere.example/\r\nSet-Cookie: a=b', 'search?q=%2F%2Felsewhere.example%2F%0D%0ASet-Cookie%3A+a%3Db'],
  ['', 'search?q='],
  ['abandon ability able about above absent absorb abstract absurd abuse access accident', 'search?refused='],
  ['ab'.repeat(64), 'search?refused='],
])('what is typed as %j leads to %s', async (text, location) => {
  expect(await postedTo(text)).toEqual([303, location])
})

test('a text that no address takes leads to a page that says so', async () => {
  const [status, location] = await postedTo(`${'ы'.repeat(255)}😀${'ы'.repeat(50_000)}`)
  expect(status).toBe(303)
  const reply = await fetch(`${service.url}/${location}`, { headers: { accept: 'text/html' } })
  expect(reply.status).toBe(200)
  const bag = `te6cck${'A'.repeat(4_000)}`
  expect(await postedTo(bag)).toEqual([303, `search?q=${bag}`])
})

test('what a body has after its first 64 KiB is not read: a megabyte held all callers up for a tenth of a second', async () => {
  const post = async (body: string): Promise<string | null> =>
    (await fetch(`${service.url}/search`, { method: 'POST', body, redirect: 'manual' })).headers.get('location')
  expect(await post(`${'&'.repeat(60_000)}q=wallet4`)).toBe('search?q=wallet4')
  expect(await post(`${'&'.repeat(1_000_000)}q=wallet4`)).toBe('search?q=')
})

test('more than the box takes is refused', async () => {
  expect(await postedTo('a'.repeat(2_000_000))).toEqual([413, null])
})

const REFUSAL = '<dt>Note</dt><dd>This looks like the secret words or the private key of a wallet'

test('the words of a wallet are refused, stand nowhere on the page, and leave the address with the next one', async () => {
  const [{ mnemonic: words } = { mnemonic: '' }] = (await client.dev.state()).accounts.filter(
    ({ name }) => name === 'wallet4',
  )
  const text = await search(words)
  expect(text).toContain(REFUSAL)
  const [written = ''] = text.split('<script type="application/json"')
  expect(written).not.toContain(words.slice(0, 30))
  expect(written.replaceAll('+', ' ')).not.toContain(words.slice(0, 30))
  expect(written).toContain('<meta http-equiv="refresh" content="0;url=?refused=">')
  const next = await pageOf('refused=')
  expect(next).toContain(REFUSAL)
  expect(next).not.toContain('http-equiv="refresh"')
})
