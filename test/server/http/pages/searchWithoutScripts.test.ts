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
