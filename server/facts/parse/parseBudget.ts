// What reading one block may cost beyond its own size. A few cells that share subtrees can unfold to trees of any size;
// what is written from them (bodies, currencies) is written once per tree and counted.

import { type BinaryHash, type Cell, NO_CRC, writeBoc, writingBoc } from '../../cell/index.ts'
import type { ExtraCurrencyAmounts } from '../../store/index.ts'
import type { CurrencyCollection } from '../../tlb/index.ts'
import { ParseError } from './parseError.ts'

/** Of all bags of cells together. The largest real blocks have some megabytes. */
const MOST_BYTES = 512 * 1024 * 1024
/** A node lets a message carry two. */
const MOST_CURRENCIES = 1 << 20
const NONE: ExtraCurrencyAmounts = Object.freeze({})

export class ParseBudget {
  private bytes = MOST_BYTES
  private currencies = MOST_CURRENCIES
  private readonly checked = new Map<BinaryHash, Uint8Array>()

  /** A bag of cells with a checksum, as messages keep their bodies. Many messages share one, the empty body first. */
  bocWithCrc(root: Cell): Uint8Array {
    const hash = root.hash()
    const before = this.checked.get(hash)
    if (before !== undefined) return before
    const boc = this.counted(writeBoc(root))
    this.checked.set(hash, boc)
    return boc
  }

  /** One without, as accounts keep their data: that of 24,000 cells takes 15 ms at once. */
  *boc(root: Cell): Generator<void, Uint8Array> {
    return this.counted(yield* writingBoc(root, NO_CRC))
  }

  private counted(boc: Uint8Array): Uint8Array {
    this.bytes -= boc.length
    if (this.bytes < 0) throw new ParseError('block', 'its trees of cells are too large when written out')
    return boc
  }

  /** Extra currencies in the order of their ids. */
  extra({ other }: CurrencyCollection): ExtraCurrencyAmounts {
    if (other.root === null) return NONE
    const amounts: Record<string, string> = {}
    for (const [id, amount] of other) {
      if (--this.currencies < 0) throw new ParseError('block', 'it claims too many amounts of extra currencies')
      amounts[id] = `${amount}`
    }
    return amounts
  }
}
