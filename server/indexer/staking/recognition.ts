// Whether an account with the storage of a pool is one: by the public code, or by what its get-methods answer.

import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import { answersAsPool, ContractError, Contracts } from '../../contracts/index.ts'
import { wellKnownCodes } from '../../interfaces/index.ts'
import type { BlockIdExt } from '../../node/index.ts'
import type { AccountRow, CodeRow } from '../../store/index.ts'
import type { PoolData } from '../../tlb/index.ts'
import { accountIdOf } from '../accounts/accountIdOf.ts'
import type { AssetBookParts } from '../assets/assetBook.ts'
import { CodeBook } from '../assets/codeBook.ts'
import { ContractStates } from '../assets/contractStates.ts'

/** Of the public nominator pool. */
const PUBLIC_CODE: BinaryHash = hashFromBytes(Buffer.from(wellKnownCodes.nominatorPool.id, 'base64'))

export const isPublicCode = (codeHash: Uint8Array): boolean => hashFromBytes(codeHash) === PUBLIC_CODE

/** When, and with which code that may not be in the store yet. */
export interface Sight {
  readonly id: BlockIdExt
  readonly utime: number
  readonly codes: readonly CodeRow[]
}

export class Recognition {
  readonly #runs: { readonly codes: CodeBook; readonly states: ContractStates } | null

  /** Without parts no get-methods are run, and pools are known by the public code alone. */
  constructor(parts: AssetBookParts | null) {
    this.#runs = parts && { codes: new CodeBook(parts), states: new ContractStates(parts) }
  }

  async isPool(row: AccountRow, data: PoolData, { id, utime, codes: fresh }: Sight): Promise<boolean> {
    if (row.codeHash === null) return false
    if (isPublicCode(row.codeHash)) return true
    if (this.#runs === null) return false
    const { codes, states } = this.#runs
    const known = await codes.of([row.codeHash], fresh)
    // Seldom enough to read the configuration each time.
    states.forget()
    const contracts = new Contracts(states.at({ id, utime, isKey: true, accounts: [row], codes: known }))
    try {
      return await answersAsPool(contracts, accountIdOf(row.account), data)
    } catch (error) {
      if (error instanceof ContractError) return false
      throw error
    }
  }
}
