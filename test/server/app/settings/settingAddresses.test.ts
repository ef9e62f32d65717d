import { expect, test } from 'vitest'
import { isPostgres, isRedis } from '../../../../server/app/settings/settingAddresses.ts'

const on = (parameters: string): boolean => isPostgres(`postgres://user:secret@db.example/tonrpc?${parameters}`)

test('error: a parameter about TLS that the driver would pass over, connecting in plain text', () => {
  const misspelt = [
    'ssl_mode=verify-full',
    'sslMode=require',
    'SSLMODE=require',
    'tls=true',
    'requiressl=1',
    'ssl-mode=require',
  ]
  expect(misspelt.filter(on)).toEqual([])
  expect(on('application_name=a&sslmod=verify-full')).toBe(false)
})

test('parameters that the driver or libpq knows, and those of hosts, are taken', () => {
  for (const known of ['sslmode=verify-full&sslrootcert=%2Fca.pem&sslcert=%2Fa&sslkey=%2Fb', 'ssl=true', 'sslsni=1'])
    expect(on(known)).toBe(true)
  expect(on('ssl_min_protocol_version=TLSv1.3&channel_binding=require&pgbouncer=true')).toBe(true)
})

test('error: an address of a Redis says what the connection would pass over: a Sentinel, a database in a parameter, other clients', () => {
  const passedOver = [
    'redis://host:26379?sentinel=mymaster',
    'redis://host:26379/mymaster',
    'redis://host/0/1',
    'redis://host?db=3',
    'rediss://host?family=6',
    'redis://host#1',
    'redis+sentinel://host:26379/mymaster',
    'redis://one:6379,two:6379',
  ]
  expect(passedOver.filter(isRedis)).toEqual([])
  const taken = [
    'redis://host',
    'redis://host/',
    'rediss://:secret@[::1]:6379/15',
    'rediss://host?ssl_cert_reqs=required',
  ]
  expect(taken.filter(isRedis)).toEqual(taken)
})
