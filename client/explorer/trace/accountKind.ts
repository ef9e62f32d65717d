// What kind of contract the account of a step is, as its interfaces say.

import { interfacesOf } from '../accountNames.ts'
import type { Step } from './model.ts'

/** One wallet is known by its code. A list of several is of get-methods, which other contracts have too. */
const KINDS = /jetton_(?:wallet|master)|nft_(?:sale|auction|collection|item)|pool|multisig|^wallet(?=_[^,]*$)/

/** Such as `jetton wallet`; empty when they do not say it. */
export const kindOfStep = ({ transaction }: Step): string =>
  KINDS.exec(interfacesOf(transaction?.account ?? '').join())?.[0]
    .replace('_', ' ')
    .replace('nft', 'NFT') ?? ''

/** `JW` of `jetton wallet`, for where there is no room for it. */
export const lettersOf = (kind: string): string => kind.replace(/(\w)\w* ?/g, '$1').toUpperCase()
