// Names of jettons and NFT collections as a search finds them.

import { account, bool, text } from './column.ts'
import { table } from './table.ts'

export const tokenNames = table(
  'token_names',
  {
    account,
    /** From the description outside of the chain, not from the contract. */
    isFetched: bool,
    /** A whole name or symbol, or a name from one of its later words on, as `searchText` writes it. */
    word: text,
  },
  { onConflict: 'keep' },
)
