// Which kinds a contract may be of, told by its code alone: whatever a wallet sends, nothing is run for it.

import type { Cell, Hash } from '../../cell/index.ts'
import {
  auction,
  jettonMaster,
  jettonWallet,
  type Kind,
  multisig,
  multisigOrder,
  nftCollection,
  nftItem,
  sale,
  telemint,
  vesting,
} from '../../contracts/index.ts'
import { isSimpleWallet, methodId, methodIdsOf } from '../../interfaces/index.ts'

export const kinds = {
  jettonMaster,
  jettonWallet,
  nftCollection,
  nftItem,
  sale,
  auction,
  telemint,
  multisig,
  multisigOrder,
  vesting,
} as const

export type KindName = keyof typeof kinds

const NAMES = Object.keys(kinds) as readonly KindName[]
const WANTED = NAMES.map((name) => {
  const { methods, codes }: Kind<unknown> = kinds[name]
  return { name, ids: methods.map(methodId), codes }
})

/**
 * Kinds a code may be of, where `hash` is the code's own, also when it lies in a library. Code without a table of methods
 * may be of any, but for the usual wallets, which have none either.
 */
export function candidateKinds(hash: Hash, code: Cell): readonly KindName[] {
  if (isSimpleWallet(hash)) return []
  const methods = methodIdsOf(code)
  const known = methods === null ? null : new Set(methods)
  const fits = ({ ids, codes }: (typeof WANTED)[number]): boolean =>
    codes === undefined ? known === null || ids.some((id) => known.has(id)) : codes.includes(hash)
  return WANTED.filter(fits).map(({ name }) => name)
}
