import { expect, test } from 'vitest'
import { parseKeep } from '../../../../server/app/settings/indexSpan.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'

test('a span is hours or days, at least one hour', () => {
  expect(['all', '1h', '12h', '30d', '36500d'].map(parseKeep)).toEqual([null, 3600, 43_200, 2_592_000, 3_153_600_000])
  for (const text of ['', '0', '-1', '0d', '1s', '30m', '30', '1.5d', '1e3d', '01d', ' 1d', '1D', '36501d', '9999999d'])
    expect([text, parseKeep(text)]).toEqual([text, undefined])
})

test('a wrong one is refused with what is allowed', () => {
  const { error } = Settings.safeParse({ keep: '1s' })
  expect(error?.issues[0]?.message).toBe('all, or hours or days like 12h or 30d, from 1h to 36500d')
})
