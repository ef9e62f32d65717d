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

const search = async (text: string): Promise<string> => {
  const reply = await fetch(`${service.url}/search?q=${encodeURIComponent(text)}`, { headers: { accept: 'text/html' } })
  return await reply.text()
}

test.each(['wallet4', 'Faucet', 'elector'])('%s is an account, as with scripts', async (name) => {
  const text = await search(name)
  expect(text).toMatch(/<dt>account<\/dt><dd><a [^>]*address\/(?:0|-1):/)
  expect(text).not.toContain('<dt>Note')
})

test('the words of a wallet are refused, and stand nowhere on the page', async () => {
  const [{ mnemonic: words } = { mnemonic: '' }] = (await client.dev.state()).accounts.filter(
    ({ name }) => name === 'wallet4',
  )
  const text = await search(words)
  expect(text).toContain('<dt>Note</dt><dd>This looks like the secret words or the private key of a wallet')
  const [written = ''] = text.split('<script type="application/json"')
  expect(written).not.toContain(words.slice(0, 30))
  expect(written.replaceAll('+', ' ')).not.toContain(words.slice(0, 30))
  expect(written).not.toContain('http-equiv="refresh"')
})
