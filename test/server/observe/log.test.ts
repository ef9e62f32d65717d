// What a log makes of the texts of strangers, and of errors.

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from '../../../server/observe/index.ts'

test('no text in a readable line moves the cursor, forges a line or turns it around', async () => {
  const out = new PassThrough({ encoding: 'utf8' })
  const log = createLog({ format: 'pretty', level: 'info' }, out)
  const hostile = 'a\u001b]0;title\u0007b\u009b2Jc\r\nd\u202ee\u2028f'
  const error = new Error(hostile)
  error.stack = `Error: \u001b[2J\n    at \u009b2J`
  log.warn({ reason: hostile, server: { name: hostile }, err: error }, hostile)
  const text = await new Promise<string>((resolve) => out.once('data', resolve))
  expect(text).toMatch(/a\?\]0;title\?b\?2Jc\?\?d\?e\?f reason=a\?\]0;title/)
  expect(text).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
  expect(text.split('\n')).toHaveLength(4)
})

test.each([
  ['as it is where it has those of its cause', 'no database: refused', 'no database: refused'],
  ['with those of its cause where it lacks them', 'no database', 'no database: refused'],
])('the words of an error: %s', async (_, message, expected) => {
  const out = new PassThrough({ encoding: 'utf8' })
  const log = createLog({ format: 'json', level: 'info' }, out)
  log.warn({ err: new Error(message, { cause: new Error('refused') }) }, 'no index')
  const { err, msg } = JSON.parse(await new Promise<string>((resolve) => out.once('data', resolve)))
  expect([msg, err.message]).toEqual(['no index', expected])
  expect(err.stack).toMatch(/\ncaused by: Error: refused\n/)
})
