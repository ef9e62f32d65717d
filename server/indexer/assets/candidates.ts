// The kinds that a contract may be of, by its code alone: for wallets, however busy, nothing is run.

import type { Cell, Hash } from '../../cell/index.ts'
import {
  auction,
  type ContractKind,
  dedustPool,
  jettonMaster,
  jettonWallet,
  multisig,
  multisigOrder,
  nftCollection,
  nftItem,
  sale,
  telemint,
  vesting,
} from '../../contracts/index.ts'
import { detectInterfaces, methodId, methodIdsOf } from '../../interfaces/index.ts'

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
  dedustPool,
} as const

export type KindName = keyof typeof kinds

/** The cast: the table's own names. */
const NAMES = Object.keys(kinds) as readonly KindName[]
const WANTED = NAMES.map((name) => {
  const { methods, codes }: ContractKind<unknown> = kinds[name]
  return { name, ids: methods.map(methodId), codes: codes ?? null }
})

/** Known by the code itself. Wallets that lock their balance run a get-method for the date. */
const isWallet = (hash: Hash): boolean =>
  detectInterfaces(hash, null).some((name) => name.startsWith('wallet_') && name !== 'wallet_vesting')

export interface CandidateCode {
  /** Of the contract's own cell, also when that only refers to a library. */
  readonly hash: Hash
  readonly code: Cell
  /** Strangers deploy contracts here: it is no chain of one's own. */
  readonly isPublic: boolean
}

/**
 * Kinds a code may be of. Code without a table of methods may be of any, but for the usual wallets, which have none
 * either. On a chain of one's own a kind that goes by its code goes by its methods.
 */
export function candidateKinds({ hash, code, isPublic }: CandidateCode): readonly KindName[] {
  if (isWallet(hash)) return []
  const methods = methodIdsOf(code)
  const known = methods === null ? null : new Set(methods)
  const fits = ({ ids, codes }: (typeof WANTED)[number]): boolean =>
    codes !== null && isPublic ? codes.includes(hash) : known === null || ids.some((id) => known.has(id))
  return WANTED.filter(fits).map(({ name }) => name)
}
