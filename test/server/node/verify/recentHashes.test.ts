import { expect, test } from 'vitest'
import { RecentHashes } from '../../../../server/node/verify/recentHashes.ts'

const MOST = 3
const nameOf = (number: number): string => String(number)

test('default: the newest are known, however many came before them, and up to twice as many', () => {
  const hashes = new RecentHashes(MOST)
  for (let number = 0; number < 10; number++) {
    expect(hashes.has(nameOf(number))).toBe(false)
    hashes.add(nameOf(number))
    for (let newest = Math.max(0, number - MOST + 1); newest <= number; newest++)
      expect(hashes.has(nameOf(newest))).toBe(true)
    expect(hashes.has(nameOf(number - 2 * MOST))).toBe(false)
  }
})
