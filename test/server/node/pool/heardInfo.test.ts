// What a server said about its newest block, reused for some seconds.

import { expect, test } from 'vitest'
import type { MasterchainInfo } from '../../../../server/node/liteAnswers.ts'
import { HeardInfo } from '../../../../server/node/pool/heardInfo.ts'

test('its clock goes on, and after sixteen seconds it is too old', () => {
  let ms = 5_000_000
  const heard = new HeardInfo({ now: () => ms })
  expect(heard.read()).toBe(null)
  // The cast: of what it says only the clock changes.
  heard.set({ version: 1, now: 1_700_000_000 } as MasterchainInfo)
  const after = (more: number) => {
    ms += more
    return heard.read()
  }
  expect(after(400)).toEqual({ version: 1, now: 1_700_000_000 })
  expect(after(2_600)).toEqual({ version: 1, now: 1_700_000_003 })
  expect(after(12_999)).toEqual({ version: 1, now: 1_700_000_016 })
  expect(after(1)).toBe(null)
})

test('a newer word takes the place of one of the same second, and is forgotten', () => {
  const heard = new HeardInfo({ now: () => 5_000_000 })
  // The casts: as above.
  heard.set({ version: 1, now: 1_700_000_000 } as MasterchainInfo)
  expect(heard.read()).toMatchObject({ version: 1 })
  heard.set({ version: 2, now: 1_700_000_000 } as MasterchainInfo)
  expect(heard.read()).toMatchObject({ version: 2 })
  heard.forget()
  expect(heard.read()).toBe(null)
})
