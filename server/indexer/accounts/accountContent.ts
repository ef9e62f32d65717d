// An account as the index keeps it, when its whole cell is available.

import { type Cell, NO_CRC, writingBoc } from '../../cell/index.ts'
import { type OpenedAccount, openedAccount } from '../../facts/index.ts'
import { inPieces, type SlicedWork, type Slicing } from '../../fairness/index.ts'

interface AccountContent extends Omit<OpenedAccount, 'data'> {
  /** Bag of cells without CRC. */
  readonly data: Uint8Array | null
}

export async function accountContent(cell: Cell, slicing?: Slicing | SlicedWork): Promise<AccountContent> {
  const { data, ...rest } = openedAccount(cell)
  return { ...rest, data: data === null ? null : await inPieces(writingBoc(data, NO_CRC), slicing) }
}
