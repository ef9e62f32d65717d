// Facts that only the contracts can give after emulated transactions, since the index has the state before them: what a new
// contract says of itself, the last bid of an auction that gave its item away, and the owner of a name once its auction is settled.

import { toRawUpper } from '../../../shared/address.ts'
import type { AccountFacts, AccountsFacts } from '../../actions/index.ts'
import { dns, nft } from '../../bodies/index.ts'
import { auctionKind, ContractError, type Contracts, contractOf, GasMeter, nftItemKind } from '../../contracts/index.ts'
import type { SlicedWork } from '../../fairness/index.ts'
import { type AccountId, type BlockIdExt, LiteError } from '../../node/index.ts'
import type { TransactionFound } from '../../store/index.ts'
import { TvmError } from '../../tvm/index.ts'
import { asRunError } from '../errors/tvmErrors.ts'
import { type BlockTools, contractsAtBlock } from '../tvm/contractTools.ts'
import type { EmulatedTransaction } from './emulation.ts'
import { newContractFacts } from './newContract.ts'
import { openState } from './states.ts'
import { nameOrNull } from './tokenChanges.ts'

export interface FoundAfter {
  readonly facts: AccountsFacts
  /** False when the TVM was busy, the time was over or an account could not be read: another time they may be more. */
  readonly isWhole: boolean
}

export type FactsAfter = (known: AccountsFacts, slices: SlicedWork, signal: AbortSignal) => Promise<FoundAfter>

const NOTHING_ELSE: AccountFacts = { interfaces: [], codeHash: null }

/** Endings that no contract has caused. */
const PASSING: readonly TvmError['code'][] = ['busy', 'aborted', 'closed']

const isTemporary = (error: unknown): boolean =>
  error instanceof LiteError || (error instanceof TvmError && PASSING.includes(error.code))

/** An account that became active, gave an item away or settled its auction, in the state after its last transaction. */
interface Left {
  readonly id: AccountId
  readonly isNew: boolean
  readonly isSettled: boolean
  readonly after: EmulatedTransaction['after']
  readonly now: number
}

function leftBy(transactions: readonly EmulatedTransaction[], found: readonly TransactionFound[]) {
  const left = new Map<string, Left>()
  for (const [i, { account: id, after, transaction }] of transactions.entries()) {
    const { origStatus, endStatus, now } = transaction
    const name = toRawUpper(id)
    const known = left.get(name)
    const isNew = known?.isNew ?? (origStatus !== 'active' && endStatus === 'active')
    const sent = new Set(found[i]?.outMessages.map(({ opcode }) => opcode))
    const isSettled = known?.isSettled === true || sent.has(dns.auctionFillUp.opcode)
    if (isNew || isSettled || sent.has(nft.transfer.opcode) || known !== undefined)
      left.set(name, { id, isNew, isSettled, after, now })
  }
  return left
}

/** What an auction was paid, and the owner of a name, as they say themselves. */
async function afterSale(contracts: Contracts, { id, isSettled }: Left, before: AccountFacts): Promise<AccountFacts> {
  const { auction, nftItem } = before
  const price = auction && (await auctionKind.read(contracts, id))?.lastBid
  const item = isSettled && nftItem !== undefined ? await nftItemKind.read(contracts, id) : null
  return {
    ...before,
    ...(auction !== undefined && price !== undefined && { auction: { ...auction, price } }),
    ...(nftItem !== undefined && item !== null && { nftItem: { ...nftItem, owner: nameOrNull(item.owner) } }),
  }
}

/**
 * Adds to the facts what the accounts themselves answer. When a contract loops, breaks the TVM or uses up the gas, an account
 * cannot be read, or the signal aborts, the accounts after it are not called: their facts stay as they were.
 */
export function factsAfter(
  tools: BlockTools,
  at: BlockIdExt,
  transactions: readonly EmulatedTransaction[],
  found: readonly TransactionFound[],
): FactsAfter {
  const left = leftBy(transactions, found)
  const { gas = new GasMeter() } = tools
  return async (known, slices, signal) => {
    if (left.size === 0) return { facts: known, isWhole: true }
    const facts = new Map(known)
    const contracts = contractsAtBlock({ ...tools, gas }, at, signal, async (id) => {
      const one = left.get(toRawUpper(id))
      return one && contractOf((await openState(one.after, slices)).account, one.now)
    })
    const add = async (): Promise<FoundAfter> => {
      for (const [name, one] of left) {
        if (signal.aborted) return { facts, isWhole: false }
        if (slices.isDue) await slices.rest()
        const before = known.get(name) ?? NOTHING_ELSE
        if (before.auction !== undefined || before.nftItem !== undefined)
          facts.set(name, await afterSale(contracts, one, before))
        // What the trace itself shows of an item or a wallet is known already.
        if (!one.isNew || before.nftItem !== undefined || before.jettonWallet !== undefined) continue
        const own = await newContractFacts(contracts, one.id)
        if (own !== null) facts.set(name, { ...before, ...own })
      }
      return { facts, isWhole: true }
    }
    try {
      return await gas.inTurn(add)
    } catch (error) {
      const isPassing = signal.aborted || isTemporary(error)
      if (!isPassing && !(error instanceof ContractError || error instanceof TvmError)) throw asRunError(error)
      return { facts, isWhole: !isPassing }
    }
  }
}
