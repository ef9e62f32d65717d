import { expect, test } from 'vitest'
import { isPostgres } from '../../../../server/app/settings/settingAddresses.ts'

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
