// Which path of v4 a caller meant that sent another.

import { expect, test } from 'vitest'
import { PATHS_OF_V4 } from '../../../../server/methods/v4/v4Answer.ts'
import { nearestPathOfV4, patternOf } from '../../../../server/methods/v4/v4Paths.ts'

const ADDRESS = `0:${'4'.repeat(64)}`
const HASH = 'A'.repeat(43)

test.each([
  ['/block/lates', '/block/latest'],
  ['/Block/Latest/', '/block/latest'],
  ['/block/newest', '/block/latest'],
  ['/blocks/7', '/block/SEQNO'],
  ['/block/x7', '/block/SEQNO'],
  ['/block/utim/7', '/block/utime/TIME'],
  [`/block/latest/${ADDRESS}`, '/block/SEQNO/ADDRESS'],
  [`/block/7/${ADDRESS}/lit`, '/block/SEQNO/ADDRESS/lite'],
  [`/block/7/${ADDRESS}/runs/seqno/AAAA`, '/block/SEQNO/ADDRESS/run/METHOD/ARGUMENTS'],
  ['/block/7/config/', '/block/SEQNO/config'],
  [`/account/${ADDRESS}/txs/7/${HASH}`, '/account/ADDRESS/tx/LT/HASH'],
  ['/sent', '/send'],
  ['/nothing', null],
  ['/', null],
  [`/block/${'latest'.repeat(2000)}/of/all`, null],
])('%.60s is near to %s', (sent, meant) => {
  expect(nearestPathOfV4(sent, PATHS_OF_V4)).toBe(meant)
})

test('parts of a path that vary are of their kind, and the last may be left out', () => {
  const pattern = patternOf('/block/SEQNO/config/PARAMETERS?')
  expect(pattern.exec('/block/7/config/1,2')?.slice(1)).toEqual(['7', '1,2'])
  expect(pattern.exec('/block/7/config')?.slice(1)).toEqual(['7', undefined])
  for (const path of ['/block/x/config', '/block/7/config/', '/block/7/config/1/2', '/block/12345678901/config'])
    expect(pattern.test(path), path).toBe(false)
})
