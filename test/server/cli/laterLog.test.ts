import { expect, test } from 'vitest'
import { LaterLog } from '../../../server/cli/start/laterLog.ts'

test('lines of before there is a log are written when there is one, in their order and once', () => {
  const later = new LaterLog()
  later.warn({ reason: 'it is full' }, 'waiting for the database')
  later.info({ failures: 1 }, 'database opened')
  const lines: unknown[] = []
  const log = {
    info: (facts: object, text: string) => void lines.push(['info', facts, text]),
    warn: (facts: object, text: string) => void lines.push(['warn', facts, text]),
  }
  later.passTo(log)
  later.warn({}, 'afterwards')
  expect(lines).toEqual([
    ['warn', { reason: 'it is full' }, 'waiting for the database'],
    ['info', { failures: 1 }, 'database opened'],
    ['warn', {}, 'afterwards'],
  ])
})
