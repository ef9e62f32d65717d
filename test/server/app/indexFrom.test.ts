import { describe, expect, test } from 'vitest'
import { parseIndexFrom } from '../../../shared/indexFrom.ts'

describe('where an index begins', () => {
  test.each([
    ['0', null],
    ['7', { seqno: 7 }],
    ['108000000', { seqno: 108_000_000 }],
    ['2147483647', { seqno: 2_147_483_647 }],
    ['now', 'now'],
    ['2026-11-01', { utime: 1_793_491_200 }],
    ['2028-02-29', { utime: 1_835_395_200 }],
    ['2026-11-01T10:30Z', { utime: 1_793_529_000 }],
    ['2026-11-01T10:30:00+02:00', { utime: 1_793_521_800 }],
  ])('%s', (text, expected) => expect(parseIndexFrom(text)).toEqual(expected))

  test.each([
    '',
    'later',
    '-1',
    '2147483648',
    '1.5',
    '2026-13-01',
    '2026-02-29',
    '2026-11-31T10:30Z',
    '2026-11-01 10:30',
    'now ',
  ])('error: %j', (text) => expect(parseIndexFrom(text)).toBeUndefined())
})
