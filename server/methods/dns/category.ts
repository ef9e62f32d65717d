import { ApiError } from '../../../shared/errors.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import { type BinaryHash, hashFromBytes, hashToHex } from '../../cell/index.ts'
import { ALL_CATEGORIES } from '../../contracts/index.ts'
import { dnsCategoryHash } from '../../tlb/index.ts'

const numberOf = (hash: BinaryHash): bigint => BigInt(`0x${hashToHex(hash)}`)

/** The hash of a category as a number. */
export const categoryHash = (category: bigint): BinaryHash =>
  Buffer.from(category.toString(16).padStart(64, '0'), 'hex').toString('latin1')

/**
 * The number of a category, given by that number, by its 32 bytes or by its name; nothing, 0 and `all` are all of them.
 * Throws ApiError `invalidParams`.
 */
export function categoryOf(category: string | number): bigint {
  if (category === '' || category === 'all') return ALL_CATEGORIES
  if (typeof category === 'number') return BigInt(category)
  const hash = parseHash(category)
  if (hash !== null) return numberOf(hashFromBytes(hash))
  if (!/^\d+$/.test(category)) return numberOf(dnsCategoryHash(category))
  const number = BigInt(category)
  if (number < 1n << 256n) return number
  throw new ApiError('invalidParams', 'a category does not fit 256 bits', { param: 'category' })
}
