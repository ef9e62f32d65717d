// The path and the query of a request, of which a slash behind the path of a call is no part.

import { expect, test } from 'vitest'
import { targetParts } from '../../../../server/http/requests/head.ts'

test.each([
  ['/api/v2/jsonRPC/', '/api/v2/jsonRPC'],
  ['/jsonRPC/', '/jsonRPC'],
  ['/api/v3/jetton/wallets/', '/api/v3/jetton/wallets'],
  ['/api/emulate/v1/emulateTrace/', '/api/emulate/v1/emulateTrace'],
])('%s is the path of a call, without its slash', (target, path) => {
  expect(targetParts(target)).toEqual({ path, query: '' })
  expect(targetParts(`${target}?a=/`)).toEqual({ path, query: 'a=/' })
  expect(targetParts(`http://host:8081${target}?a=1?b`)).toEqual({ path, query: 'a=1?b' })
})

test.each([
  '/',
  '//',
  '/api/',
  '/api/v2/',
  '/api/v3/',
  '/api/v3//',
  '/api/v2/shards//',
  '/api/v4/block/',
  '/account/x/',
])('%s is as it was sent', (target) => {
  expect(targetParts(`${target}?`)).toEqual({ path: target, query: '' })
})
