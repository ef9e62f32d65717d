// What stands beside the rows of an answer, for every v3 method: one place that reads how the accounts in it are called
// and what tokens they are.

import type { z } from 'zod'
import type { Metadata } from '../../../shared/v3/sideObjects.ts'
import type { AccountKey, QueryOptions } from '../../store/index.ts'
import { type BookNeeds, createAddressBook, type ReadBook } from './addressBook.ts'

export type TokenFacts = z.output<typeof Metadata>

export interface SideObjects {
  /** By raw address; accounts may come more than once. */
  readonly addressBook: ReadBook
  /** By raw address, only of those that are tokens. */
  readonly metadata: (accounts: Iterable<AccountKey>, options?: QueryOptions) => Promise<TokenFacts>
}

export const createSideObjects = (needs: BookNeeds): SideObjects => ({
  addressBook: createAddressBook(needs),
  // No token is indexed.
  metadata: async () => ({}),
})
