// The objects next to the rows, as far as the caller wants them.

import type { AccountKey } from '../../store/index.ts'
import type { Call } from '../call.ts'
import type { SideObjects } from './sideObjects.ts'

type Book = Awaited<ReturnType<SideObjects['addressBook']>>
type Tokens = Awaited<ReturnType<SideObjects['metadata']>>

export const wishedBook = async (
  side: SideObjects,
  accounts: readonly AccountKey[],
  call: Call,
): Promise<{ address_book: Book }> => ({
  address_book: call.modifiers.noAddressBook ? {} : await side.addressBook(accounts, call),
})

export async function wishedSides(
  side: SideObjects,
  accounts: readonly AccountKey[],
  call: Call,
): Promise<{ address_book: Book; metadata: Tokens }> {
  const [{ address_book }, metadata] = await Promise.all([
    wishedBook(side, accounts, call),
    call.modifiers.noMetadata ? {} : side.metadata(accounts, call),
  ])
  return { address_book, metadata }
}
