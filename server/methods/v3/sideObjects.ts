// What stands beside the rows of an answer, for every v3 method: one place that reads how the accounts in it are called
// and what tokens they are.

import { type BookNeeds, createAddressBook, type ReadBook } from './addressBook.ts'
import { createMetadata, type ReadMetadata } from './metadata.ts'

export interface SideObjects {
  /** By raw address; accounts may come more than once. */
  readonly addressBook: ReadBook
  /** By raw address, only of those that are tokens, and of the jettons in those that are jetton wallets. */
  readonly metadata: ReadMetadata
}

export const createSideObjects = (needs: BookNeeds): SideObjects => ({
  addressBook: createAddressBook(needs),
  metadata: createMetadata(needs.store),
})
