// Pictures of tokens over HTTP: by the account alone, whatever its maker has written.

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createPictureDoor } from '../../../../server/http/pages/pictureDoor.ts'
import { accountsV3 } from '../../../../shared/v3/accounts.ts'
import { ask } from '../../../setup/calls.ts'
import { serveMethods } from '../../../setup/service.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex')
const link = (kind: string, bytes: Buffer): string => `data:image/${kind};base64,${bytes.toString('base64')}`
const rawOf = (digit: string): string => `0:${digit.repeat(64)}`
const LINKS: Readonly<Record<string, string>> = {
  [rawOf('A')]: link('png', PNG),
  [rawOf('B')]: link('png', Buffer.from('<script>alert(1)</script>')),
  [rawOf('C')]: 'https://127.0.0.1/picture.png',
  /** Has its picture next to the link. */
  [rawOf('E')]: 'https://127.0.0.1/picture.png',
}

const methods = {
  registry: { 'v3.metadata': accountsV3['v3.metadata'] },
  handlers: () => ({
    'v3.metadata': async ({ address }: { readonly address: readonly string[] }) =>
      Object.fromEntries(
        address.map((raw) => {
          const info = { valid: true, type: 'nft_items' as const, name: 'One', image: LINKS[raw] ?? '' }
          const extra = raw === rawOf('E') ? { image_data: PNG.toString('base64') } : {}
          return [raw, { is_indexed: true, token_info: LINKS[raw] === undefined ? [] : [{ ...info, extra }] }]
        }),
      ),
  }),
}

test('a picture is passed on as nothing else; what is none, and a stranger, is a sentence', async () => {
  await using service = await serveMethods(methods, { config: { metadata: 'on' } })
  const at = (account: string) => fetch(`${service.url}/explorer/image/${account}`)
  const picture = await at(rawOf('a'))
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(picture.headers.get('content-security-policy')).toContain('sandbox')
  expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)
  for (const account of [rawOf('B'), rawOf('C'), rawOf('D')]) {
    const { status, body } = await ask(service, `/explorer/image/${account}`)
    expect([status, body.error], account).toEqual([404, expect.stringContaining('no picture')])
  }
  expect((await at('https:%2F%2Fexample.com%2Fa.png')).status).toBe(404)
})

test('without --metadata there are those that tokens hold themselves, and none at a link', async () => {
  await using service = await serveMethods(methods, { config: { metadata: 'off' } })
  const at = (digit: string) => fetch(`${service.url}/explorer/image/${rawOf(digit)}`)
  for (const digit of ['A', 'E']) {
    const picture = await at(digit)
    expect([picture.status, picture.headers.get('content-type')], digit).toEqual([200, 'image/png'])
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)
  }
  for (const digit of ['B', 'C', 'D']) expect((await at(digit)).status, digit).toBe(404)
})

test('without the explorer there are none', async () => {
  await using service = await serveMethods(methods, { config: { metadata: 'on', explorer: 'off' } })
  expect((await fetch(`${service.url}/explorer/image/${rawOf('A')}`)).status).toBe(404)
})

test('a fault of our own is one to report, and not a token without a picture', async () => {
  const json = JSON.stringify(await methods.handlers()['v3.metadata']({ address: [rawOf('A')] }))
  const fault = new TypeError('a fault')
  const picture = createPictureDoor({
    dispatch: { run: async () => ({ json, isCached: false }) },
    callerOf: () => ({ subject: 'one', keyId: null, tier: null }),
    pictureAt: () => Promise.reject(fault),
  })
  const req = new IncomingMessage(new Socket())
  const res = new ServerResponse(req)
  await expect(picture({ req, res, path: `/explorer/image/${rawOf('A')}`, requestId: '1' })).rejects.toBe(fault)
})
