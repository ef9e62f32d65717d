// Each kind of failure says what to do and where that is explained, and the page is there.

import { expect, test } from 'vitest'
import { RpcError, TransportError, type TransportReason } from '../../client/rpcErrors.ts'
import { strict } from '../../server/http/dialect/strict.ts'
import { errorAdvice, helpOn } from '../../shared/errorAdvice.ts'
import { ApiError, type ErrorKind, errorTable } from '../../shared/errors.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve())
const kinds = Object.keys(errorTable) as ErrorKind[]
const pages = new Map<string, Promise<string>>()

async function textOf(path: string): Promise<string> {
  const response = await fetch(`${service().url}${path}`)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

/** What a path with an anchor leads to. */
async function isThere(docs: string): Promise<boolean> {
  const [path = '', anchor = ''] = docs.split('#')
  const page = pages.get(path) ?? textOf(path)
  pages.set(path, page)
  return (await page).includes(`id="${anchor}"`)
}

test.each(kinds)('%s', async (kind) => {
  const { advice, docs } = helpOn(kind, {})
  expect(advice).toMatch(/^[A-Z].*\.$/)
  expect(await isThere(docs)).toBe(true)
  const { text } = strict.failure(new ApiError(kind, undefined, { retryAfter: 1 }), { ms: 0, verb: 'POST', id: '1' })
  const { code, message, data } = JSON.parse(text).error
  expect(data).toMatchObject({ kind, advice, docs })
  expect(new RpcError({ method: 'm', code, text: message, data })).toMatchObject({ advice, docs })
})

const refused = async (method: string, params: object) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(`${service().url}/jsonRPC`, { method: 'POST', body })
  return (await response.json()) as { readonly error: { readonly data: Readonly<Record<string, unknown>> } }
}

test('a refusal by the running service', async () => {
  expect(await refused('detectHash', { hash: 'nonsense' })).toMatchObject({
    error: { data: { kind: 'invalidParams', advice: errorAdvice.invalidParams, docs: '/api/v2/#error-invalidParams' } },
  })
})

const GOOD = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

test.each([
  ['nonsense', /^A friendly address has 48 characters, this one has 8\.$/],
  ['abc', /^An address is 48 characters such as EQ/],
  [GOOD.slice(0, -1), /this one has 47/],
  [`${GOOD.slice(0, 20)}x${GOOD.slice(21)}`, /checksum does not fit: a character is wrong/],
  [`${GOOD.slice(0, 20)}+-${GOOD.slice(22)}`, /base64 of one alphabet/],
  ['0:12ab', /64 hex digits behind the colon, this one has 4/],
  [`99999999999:${'0'.repeat(64)}`, /There is no workchain 99999999999/],
  ['0'.repeat(64), /Put the workchain in front/],
  ['foundation.ton', /A name is not an address: resolve it/],
  ['', /^Name the account/],
  ['0x12<script>', /^An address is 48 characters/],
])('a text that is no address: %s', async (address, advice) => {
  for (const [method, params] of [
    ['getAddressInformation', { address }],
    ['v3.accountStates', { address: [address] }],
  ] as const) {
    const { error } = await refused(method, params)
    expect(error.data).toMatchObject({ kind: 'invalidParams', advice: expect.stringMatching(advice) })
    expect(error.data.docs).toBe('/api/v2/#error-invalidParams')
  }
})

test('failures without an answer', async () => {
  for (const reason of ['network', 'status', 'reply', 'closed'] satisfies TransportReason[]) {
    const { advice, docs } = new TransportError({ reason, text: 't' })
    expect(advice).not.toBe('')
    expect(await isThere(docs)).toBe(true)
  }
  expect(await isThere(new RpcError({ method: 'm', code: 1, text: 't' }).docs)).toBe(true)
})
