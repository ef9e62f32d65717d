import { expect, test } from 'vitest'
import { boundsWithin, liteLimitsOf } from '../../../../server/app/settings/callerFiles.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'

const within = (files: number, given: object = {}) => boundsWithin(files, Settings.parse(given))

test('with files enough all bounds stay as they are', () => {
  const whole = { connections: 1000, connectionsPerAddress: 50, sockets: 500 }
  expect([within(1125), within(Number.POSITIVE_INFINITY)]).toEqual([whole, whole])
})

test('with fewer files there are fewer connections, WebSockets and connections of one address; refusals take files, too', () => {
  expect(within(562)).toEqual({ connections: 499, connectionsPerAddress: 25, sockets: 250 })
  expect(within(29)).toEqual({ connections: 21, connectionsPerAddress: 12, sockets: 11 })
})

test('one connection is left', () => {
  expect(within(1)).toEqual({ connections: 1, connectionsPerAddress: 12, sockets: 1 })
})

test('a bound of one address that was set lower stays', () => {
  expect(within(29, { connectionsPerAddress: 3 })).toMatchObject({ connections: 21, connectionsPerAddress: 3 })
})

test('a worker has files of its own: this process has its part of the connections, and the WebSockets of all', () => {
  expect(within(1125, { workers: '4' })).toMatchObject({ connections: 1000, sockets: 500 })
  expect(within(300, { workers: '4', sockets: 10 })).toMatchObject({ connections: 776 })
  expect(within(300, { workers: '4' })).toMatchObject({ connections: 342, sockets: 171 })
})

test('lite clients take files as callers do, where there is a port for them', () => {
  expect(within(300, { litePort: '0' })).toMatchObject({ connections: 141 })
  expect(within(1700, { litePort: '0' })).toMatchObject({ connections: 1000 })
  expect([liteLimitsOf({ connections: 1000 }), liteLimitsOf({ connections: 141 })]).toEqual([
    { maxConnections: 512, maxPerAddress: 64 },
    { maxConnections: 141, maxPerAddress: 18 },
  ])
})
