import { expect, test } from 'vitest'
import { boundsWithin, liteLimitsWithin } from '../../../../server/app/settings/callerFiles.ts'
import { ownFilesOf } from '../../../../server/app/settings/ownFiles.ts'
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
})

test('lite clients have the files that callers leave; with files enough a few connections of callers make no fewer of them', () => {
  const lite = (files: number, connections: number) =>
    liteLimitsWithin(files, Settings.parse({ litePort: '0', connections }))
  const all = { maxConnections: 512, maxPerAddress: 64 }
  expect([lite(Number.POSITIVE_INFINITY, 1000), lite(1700, 1000), lite(600, 20)]).toEqual([all, all, all])
  expect([lite(300, 141), lite(1, 1)]).toEqual([
    { maxConnections: 141, maxPerAddress: 18 },
    { maxConnections: 1, maxPerAddress: 1 },
  ])
})

test('a PostgreSQL takes the files of its connections, of which each process has its part', () => {
  const own = (given: object) => ownFilesOf(Settings.parse(given))
  const database = 'postgres://localhost/x'
  expect([
    own({}),
    own({ database, workers: '1' }),
    own({ database, workers: '4', databaseConnections: 1000 }),
  ]).toEqual([448, 96, 330])
})
