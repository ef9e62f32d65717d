// What transactions changed about who holds what: TON, fees, jettons, NFT items.

import type { z } from 'zod'
import { toHex } from '../../../shared/hex.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Result } from '../../../shared/registry.ts'
import type { BalanceChanges } from '../../../shared/v3/balanceChange.ts'
import type { balanceChangesV3 } from '../../../shared/v3/balanceChanges.ts'
import {
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
import { rawOfKey } from '../keyOfAccount.ts'
import { itemMoves, jettonsMoved } from './moves.ts'

type Changes = Result<(typeof balanceChangesV3)['v3.balanceChanges']>
type ByAccount = z.output<typeof BalanceChanges>
/** A transaction with its messages. */
type Moved = Pick<TransactionFound, 'row' | 'inMessage' | 'outMessages'>

/** Sums by name. */
class Sums {
  readonly #sums = new Map<string, bigint>()

  add(name: string, amount: bigint): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + amount)
  }

  toObject(keepsZero: boolean): Record<string, `${bigint}`> {
    const entries = [...this.#sums].filter(([, sum]) => keepsZero || sum !== 0n)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => [name, toDigits(sum)]))
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
  const accounts = [...new Map(all.map(({ account }) => [rawOfKey(account), account])).values()]
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
export function changesOf(all: readonly Moved[], { wallets, items, owners }: KnownTokens): Changes {
  const [ton, fees] = [new Sums(), new Sums()]
  const jettons = new Map<string, Sums>()
  const nfts = new Map<string, Changes['nfts'][string]>()
  const note = (owner: string, move: Changes['nfts'][string][number]): void => {
    const known = nfts.get(owner)
    if (known === undefined) nfts.set(owner, [move])
    else known.push(move)
  }
  const gone = new Set([...owners.values()].map(({ account }) => rawOfKey(account)))
  const ofItems = new Map<string, Moved[]>()
  for (const found of all) {
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
    const own = ofItems.get(name)
    if (own === undefined) ofItems.set(name, [found])
    else own.push(found)
  }
  const ownersOf = (transaction: Uint8Array) => owners.get(toHex(transaction))
  for (const [name, own] of ofItems) {
    for (const { from, to } of itemMoves(own.sort(byLt), { isItem: items.has(name), ownersOf })) {
      if (from !== null) note(rawOfKey(from), { address: name, gained: false })
      if (to !== null) note(rawOfKey(to), { address: name, gained: true })
    }
  }
  const byOwner = [...jettons].map(([owner, sums]) => [owner, sums.toObject(false)] as const)
  return {
    changes: ton.toObject(true),
    fees: fees.toObject(true),
    jettons: Object.fromEntries(byOwner.filter(([, sums]) => Object.keys(sums).length > 0)),
    nfts: Object.fromEntries(nfts),
  }
}

/** The same by account, as traces and actions show it. */
export function changesByAccount({ changes, fees, jettons, nfts }: Changes): ByAccount {
  const names = new Set([changes, jettons, nfts].flatMap((section) => Object.keys(section)))
  const of = (name: string) => ({
    ton: changes[name] ?? '0',
    fees: fees[name] ?? '0',
    jettons: jettons[name] ?? {},
    nfts: nfts[name] ?? [],
  })
  return Object.fromEntries([...names].sort().map((name) => [name, of(name)] as const))
}
