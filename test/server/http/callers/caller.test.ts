// Who is behind a request, also on a connection that carries those of many.

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { type Caller, createAddressRanges } from '../../../../server/access/index.ts'
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

test.each([{ via: '1.1 x' }, { forwarded: 'for=1' }, { 'x-real-ip': '1' }, { 'x-forwarded-host': 'x' }])(
  'what came through a proxy that was not declared is not of this machine: %j',
  (headers: Record<string, string>) => {
    const from = connection('127.0.0.1')
    expect(from({})).toBe('127.0.0.1')
    expect(from(headers)).toBe('unknown')
  },
)

test('a declared proxy on this machine is not this machine', () => {
  expect(connection('127.0.0.1', '127.0.0.1')({})).toBe('unknown')
})
