import { expect, test } from 'vitest'
import { inTon } from '../../shared/inTon.ts'

test.each([
  [0n, '0'],
  [1n, '0.000000001'],
  [100_000_000n, '0.1'],
  [1_000_000_000n, '1'],
  [10_000_000_000n, '10'],
  [12_340_000_000n, '12.34'],
  [-5n, '-0.000000005'],
  [2n ** 120n - 1n, '1329227995784915872903807060.280344575'],
])('%s nanotons are %s TON', (nanotons, ton) => {
  expect(inTon(nanotons)).toBe(ton)
})
