// The kinds that a contract may be of, by its code alone: for wallets, however busy, nothing is run.

import type { BinaryHash, Cell } from '../../cell/index.ts'
import {
  auctionKind,
  type ContractKind,
  dedustPoolKind,
  dedustPoolV2Kind,
  jettonMasterKind,
  jettonWalletKind,
  multisigKind,
  multisigOrderKind,
  nftCollectionKind,
  nftItemKind,
  saleKind,
  telemintKind,
  vestingKind,
} from '../../contracts/index.ts'
import { detectInterfaces, methodId, methodIdsOf } from '../../interfaces/index.ts'

export const kinds = {
  jettonMaster: jettonMasterKind,
  jettonWallet: jettonWalletKind,
  nftCollection: nftCollectionKind,
  nftItem: nftItemKind,
  sale: saleKind,
  auction: auctionKind,
  telemint: telemintKind,
  multisig: multisigKind,
  multisigOrder: multisigOrderKind,
  vesting: vestingKind,
  dedustPool: dedustPoolKind,
  dedustPoolV2: dedustPoolV2Kind,
} as const

export type KindName = keyof typeof kinds

/** The cast: the table's own names. */
const NAMES = Object.keys(kinds) as readonly KindName[]
const WANTED = NAMES.map((name) => {
  const { methods, codes }: ContractKind<unknown> = kinds[name]
  return { name, ids: methods.map(methodId), codes: codes ?? null }
})

/** Known by the code itself. Wallets that lock their balance run a get-method for the date. */
const isWallet = (hash: BinaryHash): boolean =>
  detectInterfaces(hash, null).some((name) => name.startsWith('wallet_') && name !== 'wallet_vesting')

export interface CandidateCode {
  /** Of the contract's own cell, also when that only refers to a library. */
  readonly hash: BinaryHash
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
