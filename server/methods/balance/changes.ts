// What transactions changed about who holds what: TON, fees, jettons, NFT items.

import type { z } from 'zod'
import { toHex } from '../../../shared/hex.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Result } from '../../../shared/registry.ts'
import type { BalanceChanges } from '../../../shared/v3/balanceChange.ts'
import type { balanceChangesV3 } from '../../../shared/v3/balanceChanges.ts'
import { lightInSlices, sorting } from '../../fairness/index.ts'
import {
  addToGroup,
  type HeldJetton,
  heldJettonsRead,
  itemOwnersRead,
  itemsRead,
  type NftOwnersRow,
  readAll,
  type Sql,
  type TransactionFound,
  type TransactionRow,
} from '../../store/index.ts'
import type { Call } from '../call.ts'
import { charsOfRaw, rawOfKey } from '../keyOfAccount.ts'
import { itemMoves, jettonsMoved } from './moves.ts'

type Changes = Result<(typeof balanceChangesV3)['v3.balanceChanges']>
type ByAccount = z.output<typeof BalanceChanges>
/** A transaction with its messages. */
type Moved = Pick<TransactionFound, 'row' | 'inMessage' | 'outMessages'>

/** Transactions, or accounts, that are gone through in one piece. */
const AT_ONCE = 100

/** Sums by name. */
class Sums {
  readonly #sums = new Map<string, bigint>()

  add(name: string, amount: bigint): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + amount)
  }

  *object(keepsZero: boolean): Generator<void, Record<string, `${bigint}`>> {
    const entries = [...this.#sums].filter(([, sum]) => keepsZero || sum !== 0n)
    const sums: Record<string, `${bigint}`> = {}
    for (const [i, [name, sum]] of (yield* sorting(entries, ([a], [b]) => (a < b ? -1 : 1))).entries()) {
      sums[name] = toDigits(sum)
      if (i % AT_ONCE === AT_ONCE - 1) yield
    }
    return sums
  }
}

/** Balance after less balance before, by what came and what left: states are not kept for every transaction. */
function tonOf({ row, inMessage, outMessages }: Moved): { readonly ton: bigint; readonly fees: bigint } {
  const came = (inMessage?.value ?? 0n) + (inMessage?.ihrFee ?? 0n)
  const fees = outMessages.reduce((sum, { fwdFee }) => sum + (fwdFee ?? 0n), row.totalFees)
  const left = outMessages.reduce((sum, { value, ihrFee }) => sum + (value ?? 0n) + (ihrFee ?? 0n), fees)
  return { ton: came - left, fees }
}

/** Jetton wallets and NFT items among accounts, by raw address. */
export interface KnownTokens {
  readonly wallets: ReadonlyMap<string, HeldJetton>
  readonly items: ReadonlySet<string>
  /** Of items, by the hash of a transaction. */
  readonly owners: ReadonlyMap<string, NftOwnersRow>
}

/** Those among the accounts of the transactions. Read before their messages, which are read of transactions that are still there. */
export async function readTokens(
  store: Sql,
  all: readonly Pick<TransactionRow, 'hash' | 'account'>[],
  call: Call,
): Promise<KnownTokens> {
  const named = await lightInSlices(all, ({ account }) => [rawOfKey(account), account] as const, call)
  const accounts = [...new Map(named).values()]
  const hashes = all.map(({ hash }) => hash)
  const [held, items, owners] = await Promise.all([
    readAll(store, heldJettonsRead(accounts), call),
    readAll(store, itemsRead(accounts), call),
    readAll(store, itemOwnersRead(hashes), call),
  ])
  return {
    wallets: new Map(held.map((one) => [rawOfKey(one.account), one])),
    items: new Set(items.map(({ account }) => rawOfKey(account))),
    owners: new Map(owners.map((one) => [toHex(one.txHash), one])),
  }
}

const byLt = ({ row: a }: Moved, { row: b }: Moved): number => (a.lt < b.lt ? -1 : 1)

/** What the transactions moved, added up. */
export function* addingUp(all: readonly Moved[], { wallets, items, owners }: KnownTokens): Generator<void, Changes> {
  const ton = new Sums()
  const fees = new Sums()
  const jettons = new Map<string, Sums>()
  const nfts = new Map<string, Changes['nfts'][string]>()
  const gone = new Set([...owners.values()].map(({ account }) => rawOfKey(account)))
  const ofItems = new Map<string, Moved[]>()
  for (const [i, found] of all.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) yield
    const name = rawOfKey(found.row.account)
    const moved = tonOf(found)
    ton.add(name, moved.ton)
    fees.add(name, moved.fees)
    const wallet = wallets.get(name)
    if (wallet !== undefined) {
      const owner = rawOfKey(wallet.owner)
      const sums = jettons.get(owner) ?? new Sums()
      jettons.set(owner, sums)
      sums.add(rawOfKey(wallet.jetton), jettonsMoved(found))
    }
    if (!items.has(name) && !gone.has(name)) continue
    addToGroup(ofItems, name, found)
  }
  const ownersOf = (transaction: Uint8Array) => owners.get(toHex(transaction))
  for (const [name, own] of ofItems) {
    const moves = yield* itemMoves(yield* sorting(own, byLt), { isItem: items.has(name), ownersOf })
    for (const [i, { from, to }] of moves.entries()) {
      if (i % AT_ONCE === AT_ONCE - 1) yield
      if (from !== null) addToGroup(nfts, rawOfKey(from), { address: name, gained: false })
      if (to !== null) addToGroup(nfts, rawOfKey(to), { address: name, gained: true })
    }
  }
  const ofJettons: Changes['jettons'] = {}
  for (const [owner, moved] of jettons) {
    const sums = yield* moved.object(false)
    if (Object.keys(sums).length > 0) ofJettons[owner] = sums
    yield
  }
  return {
    changes: yield* ton.object(true),
    fees: yield* fees.object(true),
    jettons: ofJettons,
    nfts: Object.fromEntries(nfts),
  }
}

/** The same by account, as traces and actions show it. */
export function* addingUpByAccount(all: readonly Moved[], tokens: KnownTokens): Generator<void, ByAccount> {
  const { changes, fees, jettons, nfts } = yield* addingUp(all, tokens)
  const names = new Set<string>()
  for (const section of [changes, jettons, nfts]) {
    for (const name of Object.keys(section)) names.add(name)
    yield
  }
  const byAccount: ByAccount = {}
  for (const [i, name] of (yield* sorting([...names], (a, b) => (a < b ? -1 : 1))).entries()) {
    byAccount[name] = {
      ton: changes[name] ?? '0',
      fees: fees[name] ?? '0',
      jettons: jettons[name] ?? {},
      nfts: nfts[name] ?? [],
    }
    if (i % AT_ONCE === AT_ONCE - 1) yield
  }
  return byAccount
}

/** Adds the accounts that are named: who gained and lost, jettons, items; by their keys, with a character for each byte. */
export function* namingChanges(changes: ByAccount, names: Set<string>): Generator<void> {
  for (const [i, [name, { jettons, nfts }]] of Object.entries(changes).entries()) {
    names.add(charsOfRaw(name))
    for (const master of Object.keys(jettons)) names.add(charsOfRaw(master))
    for (const { address } of nfts) names.add(charsOfRaw(address))
    if (i % AT_ONCE === AT_ONCE - 1) yield
  }
}
