// What a log on a terminal makes of the texts of strangers.

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
