// Tokens among the accounts of a run: those it created, and what it changed about who owns what.

import { toRawUpper } from '../../../shared/address.ts'
import {
  type Contracts,
  detectToken,
  jettonWalletKind,
  nftItemKind,
  type TokenContractData,
} from '../../contracts/index.ts'
import { methodId, methodIdsOf } from '../../interfaces/index.ts'
import type { AccountId } from '../../node/index.ts'
import type { OpenState, TouchedAccount } from './states.ts'

type Touched = ReadonlyMap<string, TouchedAccount>

const TOKEN_METHODS = ['get_jetton_data', 'get_collection_data', 'get_nft_data']

/** Whether its code has one of these get-methods; a code without a table may have any. */
export function hasOneOf({ code }: Pick<OpenState, 'code'>, names: readonly string[]): boolean {
  if (code === null) return false
  const ids = methodIdsOf(code)
  return ids === null || names.some((name) => ids.includes(methodId(name)))
}

/** Masters, collections and items that were not there before, by raw address. */
export async function createdTokens(
  after: Contracts,
  touched: Touched,
): Promise<ReadonlyMap<string, TokenContractData>> {
  const found = new Map<string, TokenContractData>()
  for (const [name, one] of touched) {
    if (one.before.code !== null || !hasOneOf(one.after, TOKEN_METHODS)) continue
    const facts = await detectToken(after, one.id)
    if (facts !== null && facts.kind !== 'jettonWallet') found.set(name, facts)
  }
  return found
}

export interface JettonChange {
  readonly owner: string
  readonly master: string
  readonly amount: bigint
}

export interface NftChange {
  readonly item: string
  readonly from: string | null
  readonly to: string | null
}

export interface TokenChanges {
  readonly jettons: readonly JettonChange[]
  readonly nfts: readonly NftChange[]
}

/** An account in raw form; null for none. */
export const nameOrNull = (id: AccountId | null | undefined): string | null => (id == null ? null : toRawUpper(id))

/** Asks the wallets and items that were touched what they held before and after. */
export async function tokenChanges(before: Contracts, after: Contracts, touched: Touched): Promise<TokenChanges> {
  const jettons: JettonChange[] = []
  const nfts: NftChange[] = []
  for (const [name, { id, ...states }] of touched) {
    const either = (methods: readonly string[]) => hasOneOf(states.before, methods) || hasOneOf(states.after, methods)
    if (either(jettonWalletKind.methods)) {
      const was = await jettonWalletKind.read(before, id)
      const is = await jettonWalletKind.read(after, id)
      const wallet = is ?? was
      const amount = (is?.balance ?? 0n) - (was?.balance ?? 0n)
      if (wallet !== null && amount !== 0n)
        jettons.push({ owner: toRawUpper(wallet.owner), master: toRawUpper(wallet.master), amount })
    }
    if (either(nftItemKind.methods)) {
      const was = await nftItemKind.read(before, id)
      const is = await nftItemKind.read(after, id)
      const from = nameOrNull(was?.owner)
      const to = nameOrNull(is?.owner)
      if (from !== to) nfts.push({ item: name, from, to })
    }
  }
  return { jettons, nfts }
}
