// Who is behind a request, also on a connection that carries those of many.

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { type Caller, createAddressRanges, type Tier } from '../../../../server/access/index.ts'
import { createCallerOf } from '../../../../server/http/callers/caller.ts'

const access = {
  identify: (key: string | undefined, address: string): Caller => ({
    subject: key ?? address,
    keyId: null,
    tier: null,
  }),
  spend: () => null,
  peek: () => null,
}

function connection(remoteAddress: string, ...proxies: string[]) {
  const callerOf = createCallerOf(access, createAddressRanges(proxies))
  const socket = { remoteAddress }
  return (headers: Record<string, string>) =>
    (callerOf({ headers, socket } as unknown as IncomingMessage, '', 0).caller as Caller).subject
}

test('a proxy sends requests of many callers over one connection', () => {
  const from = connection('10.0.0.1', '10.0.0.1')
  expect(from({ 'x-forwarded-for': '198.51.100.1' })).toBe('198.51.100.1')
  expect(from({ 'x-forwarded-for': '198.51.100.2' })).toBe('198.51.100.2')
  expect(from({ 'x-forwarded-for': '198.51.100.1', 'x-api-key': 'a' })).toBe('a')
  expect(from({ 'x-forwarded-for': '198.51.100.1', 'x-api-key': 'b' })).toBe('b')
  expect(from({})).toBe('10.0.0.1')
})

test.each([
  { via: '1.1 x' },
  { forwarded: 'for=1' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-host': 'x' },
  { 'x-real-ip': '1' },
  { 'x-client-ip': '1' },
  { 'true-client-ip': '1' },
  { 'cf-connecting-ip': '1' },
])('what came through a proxy that was not declared is not of this machine: %j', (headers: Record<string, string>) => {
  const from = connection('127.0.0.1')
  expect(from({})).toBe('127.0.0.1')
  expect(from(headers)).toBe('unknown')
})

test('what could not be found out of a key is asked again with the next request', async () => {
  const found = { subject: 'a', keyId: 'a', tier: null }
  const answers = [Promise.reject(new Error('no store')), Promise.resolve(found)]
  const identify = () => answers.shift() ?? found
  const callerOf = createCallerOf({ ...access, identify }, createAddressRanges([]))
  const req = { headers: { 'x-api-key': 'a' }, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage
  const caller = async () => await callerOf(req, '', 0).caller
  await expect(caller()).rejects.toThrow('no store')
  expect(await caller()).toBe(found)
})

test('a declared proxy on this machine is not this machine', () => {
  expect(connection('127.0.0.1', '127.0.0.1')({})).toBe('unknown')
})

/** The caller of a request, where calls without a key are limited and pages of the service have a budget of their own. */
function page(pages = true, tier: Tier | null = { name: 'keyless', perSecond: 1 }) {
  const asked: (string | undefined)[] = []
  const identify = (key: string | undefined, address: string): Caller => {
    asked.push(key)
    return { subject: key ?? address, keyId: key ?? null, tier }
  }
  const callerOf = createCallerOf({ ...access, identify }, createAddressRanges([]), pages)
  const socket = { remoteAddress: '198.51.100.1' }
  const of = (headers: Record<string, string>, now = 0, query = '', url = '/') =>
    callerOf({ url, headers: { host: 'ton.example', ...headers }, socket } as unknown as IncomingMessage, query, now)
  return { asked, of, subjectOf: (headers: Record<string, string>) => (of(headers).caller as Caller).subject }
}

const PAGE = 'page 198.51.100.1'

test.each([
  [PAGE, { 'sec-fetch-site': 'same-origin' }],
  [PAGE, { origin: 'https://ton.example' }],
  [PAGE, { origin: 'http://ton.example' }],
  ['198.51.100.1', {}],
  ['198.51.100.1', { origin: 'https://other.example' }],
  ['198.51.100.1', { origin: 'null' }],
  ['198.51.100.1', { 'sec-fetch-site': 'cross-site', origin: 'https://ton.example' }],
  ['198.51.100.1', { 'sec-fetch-site': 'none' }],
  ['k', { 'sec-fetch-site': 'same-origin', 'x-api-key': 'k' }],
])('%j pays for what is called with %j', (subject, headers: Record<string, string>) => {
  expect(page().subjectOf(headers)).toBe(subject)
  expect(page(false).subjectOf(headers)).toBe(subject === PAGE ? '198.51.100.1' : subject)
})

const BEARER = { authorization: 'Bearer b' }

test.each([
  ['a', '/api/v2/x?api_key=a', {}],
  ['a', '/api/v2/x?b=1&api%5Fkey=a', {}],
  ['k', '/api/v2/x?api_key=a', { 'x-api-key': 'k' }],
  ['a', '/api/v2/x?api_key=a', { 'x-api-key': '' }],
  [null, '/api/v2/x?api_key=', {}],
  [null, '/api/v2/x?API_KEY=a&api_key[]=a', {}],
  [null, '/api/v2/x?token=a', BEARER],
  ['a', '/streaming/v2/sse?token=a', BEARER],
  ['b', '/streaming/v2/sse', BEARER],
  [null, '/streaming/v2/sse', { authorization: 'Basic b' }],
  ['a', '/webhooks?api_key=a&token=t', BEARER],
  ['b', '/api/webhooks/v1/webhooks/1', BEARER],
  [null, '/webhooksandmore', BEARER],
])('of %j is what is sent to %s with %j', (key, url, headers: Record<string, string>) => {
  const { asked, of } = page()
  of(headers, 0, url.split('?')[1] ?? '', url)
  expect(asked).toEqual([key ?? undefined])
})

test('a page and a program that share a connection have a budget each', () => {
  const { subjectOf } = page()
  const own = { 'sec-fetch-site': 'same-origin' }
  expect([{}, own, own, {}].map(subjectOf)).toEqual(['198.51.100.1', PAGE, PAGE, '198.51.100.1'])
})

test('a page is limited where other callers are, and nowhere else', () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  expect(page().of(own).caller).toMatchObject({ keyId: null, tier: { name: 'page' } })
  expect(page(true, null).of(own).caller).toMatchObject({ keyId: null, tier: null })
})

test('who calls is asked again after a moment, so that a revoked key is noticed on a connection that stays', () => {
  const { asked, of } = page()
  for (const now of [0, 199, 200, 300, 400]) of({ 'x-api-key': 'k' }, now)
  expect(asked).toEqual(['k', 'k', 'k'])
})

test('who sends a key in a place where none is read learns it with each request', () => {
  const { of } = page()
  const hints = [of({ 'api-key': 'k' }), of({ 'api-key': 'k' }), of({}), of({}, 0, 'token=k')].map(
    ({ hint }) => hint[0],
  )
  expect(hints).toEqual(['X-API-Key-Hint', 'X-API-Key-Hint', undefined, 'X-API-Key-Hint'])
})
