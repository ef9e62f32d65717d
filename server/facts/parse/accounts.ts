// Accounts after a block, read from its update of the state, which shows what changed and prunes the rest; and all accounts
// of a whole state.

import {
  type BinaryHash,
  type Cell,
  CellError,
  CellKind,
  completeTree,
  completingTree,
  hashFromBytes,
  inOnePiece,
  MAX_DEPTH,
  NO_CRC,
  openCell,
  orNull,
  readBoc,
  readingBoc,
  sameBytes,
  writeBoc,
  writingBoc,
} from '../../cell/index.ts'
import type { AccountStateRow } from '../../store/index.ts'
import {
  type Account,
  accountsOf,
  hasAccounts,
  loadAccount,
  loadStates,
  type ShardAccount,
  type ShardState,
} from '../../tlb/index.ts'
import { accountKey, accountKeyText } from './accountKey.ts'
import { storableLt } from './bounds.ts'
import type { Incomplete, ParsedAccount, TransactionFacts } from './facts.ts'
import { ParseBudget } from './parseBudget.ts'
import { demandParsed, ParseError, reading, readingPieces } from './parseError.ts'

const NOT_SHOWN = { state: 'incomplete', data: 'incomplete', shownData: null, code: 'incomplete' } as const
const EMPTY = { frozenHash: null, dataHash: null, codeHash: null } as const

/** Whether a tree is shown without holes. */
const isWhole = (cell: Cell): boolean => cell.mask === 0

const nothingThere = (hash: Uint8Array): AccountStateRow => ({
  hash,
  balance: 0n,
  extra: {},
  status: 'nonexist',
  ...EMPTY,
})

function stateRow(hash: Uint8Array, account: Account | null, budget: ParseBudget): AccountStateRow | Incomplete {
  if (account === null) return nothingThere(hash)
  const { balance, state } = account.storage
  if (balance.other.root !== null && !isWhole(balance.other.root)) return 'incomplete'
  const row = { hash, balance: balance.grams, extra: budget.extra(balance), status: state.kind, ...EMPTY }
  if (state.kind === 'frozen') return { ...row, frozenHash: state.stateHash }
  if (state.kind === 'uninit') return row
  const { code, data } = state.init
  return { ...row, dataHash: data?.hashBytes(0) ?? null, codeHash: code?.hashBytes(0) ?? null }
}

/** Reads the accounts of the state of one shard, or of the update that made it. */
class AccountReader {
  private readonly workchain: number
  private readonly budget: ParseBudget

  constructor(workchain: number, budget: ParseBudget) {
    this.workchain = workchain
    this.budget = budget
  }

  nameOf(id: Uint8Array): string {
    return `account ${accountKeyText(accountKey(this.workchain, id))}`
  }

  *facts(
    id: Uint8Array,
    { account: cell, lastTransHash, lastTransLt }: ShardAccount,
    old: Cell | null,
  ): Generator<void, ParsedAccount> {
    const hash = cell.hashBytes(0)
    const head = {
      account: accountKey(this.workchain, id),
      lastTxHash: lastTransHash,
      lastTxLt: storableLt(lastTransLt),
      hash,
      before: this.before(id, old),
    }
    if (cell.kind === CellKind.pruned) return { ...head, ...NOT_SHOWN }
    const account = loadAccount(openCell(cell))
    if (account !== null) this.checkName(id, account)
    const init = account?.storage.state.kind === 'active' ? account.storage.state.init : null
    const { code = null, data = null } = init ?? {}
    return {
      state: stateRow(hash, account, this.budget),
      data: data === null ? null : isWhole(data) ? yield* this.budget.boc(data) : 'incomplete',
      shownData: data,
      code: code === null || isWhole(code) ? code : 'incomplete',
      ...head,
    }
  }

  private before(id: Uint8Array, cell: Cell | null): AccountStateRow | null {
    if (cell === null || cell.kind === CellKind.pruned) return null
    const account = loadAccount(openCell(cell))
    if (account === null) return null
    this.checkName(id, account)
    const row = stateRow(cell.hashBytes(0), account, this.budget)
    return row === 'incomplete' ? null : row
  }

  // With anycast an account has another id in each shard.
  private checkName(id: Uint8Array, { address }: Account): void {
    const isNamed = address.anycast !== null || address.kind !== 'std' || sameBytes(address.hash, id)
    demandParsed(isNamed, this.nameOf(id), 'it is listed as another one')
  }

  /** An account that the block deleted. */
  gone(id: Uint8Array, last: TransactionFacts, old: Cell | null): ParsedAccount {
    return {
      account: accountKey(this.workchain, id),
      lastTxHash: last.hash,
      lastTxLt: last.lt,
      hash: last.stateAfter,
      state: nothingThere(last.stateAfter),
      data: null,
      shownData: null,
      code: null,
      before: this.before(id, old),
    }
  }
}

export interface UpdateContext {
  readonly workchain: number
  readonly budget: ParseBudget
  /** The last transaction of each account in the block, by id. */
  readonly last: ReadonlyMap<BinaryHash, TransactionFacts>
}

const isCutOff = (error: unknown): boolean => error instanceof CellError && error.code === 'pruned'

/** The states that one half of an update shows: none when the block changed nothing. */
function shownStates(half: Cell): readonly ShardState[] {
  if (half.kind === CellKind.pruned) return []
  try {
    return loadStates(openCell(half)).filter(({ accounts }) => accounts.kind !== CellKind.pruned)
  } catch (error) {
    if (isCutOff(error)) return []
    throw error
  }
}

/** An account as it was before, perhaps cut off; null when it was not there or its entry is not shown. */
function cellBefore(states: readonly ShardState[], id: Uint8Array): Cell | null {
  for (const state of states) {
    try {
      const found = accountsOf(state).getShown(id)
      if (found !== undefined) return found.account
    } catch (error) {
      if (!isCutOff(error)) throw error
    }
  }
  return null
}

/** Accounts that are not after a block what they were before it, by id; an account a piece, and a large one in several. */
export function* changedAccounts(
  update: Cell,
  { workchain, budget, last }: UpdateContext,
): Generator<void, ParsedAccount[]> {
  const [from, to] = update.refs
  if (update.kind !== CellKind.merkleUpdate || from === undefined || to === undefined)
    throw new ParseError('state update', 'it is no Merkle update')
  const reader = new AccountReader(workchain, budget)
  const missing = new Map(last)
  const changed: ParsedAccount[] = []
  const before = shownStates(from)
  for (const state of shownStates(to))
    for (const [id, value] of accountsOf(state).entries({ shownOnly: true })) {
      const old = cellBefore(before, id)
      // A leaf is also shown when only its place in the dictionary is new.
      const isMoved = value.account.kind === CellKind.pruned || old?.hash(0) === value.account.hash(0)
      if (!missing.delete(hashFromBytes(id)) && isMoved) continue
      changed.push(yield* readingPieces(() => reader.nameOf(id), reader.facts(id, value, old)))
      yield
    }
  if (missing.size === 0) return changed
  for (const transaction of missing.values()) {
    const id = transaction.account.subarray(1)
    demandParsed(transaction.endStatus === 'nonexist', reader.nameOf(id), 'its new state is not shown')
    changed.push(
      reading(
        () => reader.nameOf(id),
        () => reader.gone(id, transaction, cellBefore(before, id)),
      ),
    )
  }
  return changed.sort((a, b) => Buffer.compare(a.account, b.account))
}

/**
 * All accounts of a whole state, one after the other, by id: of a bag of cells, or of its root. Throws ParseError for what
 * is no state.
 */
export function* accountsOfState(state: Uint8Array | Cell): Generator<ParsedAccount> {
  const states = reading(
    () => 'state',
    () => {
      const root = state instanceof Uint8Array ? readBoc(state, { maxDepth: MAX_DEPTH, maxBytes: 1 << 28 }) : state
      return loadStates(openCell(root))
    },
  )
  for (const one of states) yield* accountsIn(one)
}

function* accountsIn(state: ShardState): Generator<ParsedAccount> {
  const { workchain } = state.shard
  demandParsed(hasAccounts(workchain), 'state', `there are no accounts of workchain ${workchain}`)
  const entries = reading(
    () => 'state',
    () => accountsOf(state).entries({ shownOnly: true }),
  )
  for (;;) {
    const next = reading(
      () => 'state',
      () => entries.next(),
    )
    if (next.done === true) return
    const [id, value] = next.value
    // What one account may cost is bounded on its own: a state has as many as it likes.
    const reader = new AccountReader(workchain, new ParseBudget())
    yield reading(
      () => reader.nameOf(id),
      () => inOnePiece(reader.facts(id, value, null)),
    )
  }
}

/**
 * Data a block shows with holes, filled with cells that are known from elsewhere: code it refers to, what the account had
 * before. As a bag of cells without CRC; null when that is not enough. What comes last is read only when it is needed.
 */
export const completeData = (shown: Cell, known: readonly (Uint8Array | Cell)[]): Uint8Array | null =>
  orNull(() => writeBoc(completeTree(shown, treesOf(known)), NO_CRC))

function* treesOf(known: readonly (Uint8Array | Cell)[]): Generator<Cell> {
  for (const one of known) yield one instanceof Uint8Array ? readBoc(one, { maxDepth: MAX_DEPTH }) : one
}

/** The same in pieces, for large data: with 63,000 cells it takes 90 ms in all. */
export function* completingData(
  shown: Cell,
  known: readonly (Uint8Array | Cell)[],
): Generator<void, Uint8Array | null> {
  try {
    const trees: Cell[] = []
    for (const one of known)
      trees.push(one instanceof Uint8Array ? yield* readingBoc(one, { maxDepth: MAX_DEPTH }) : one)
    return yield* writingBoc(yield* completingTree(shown, trees), NO_CRC)
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

/** So many are looked for: data that lacks more is read from the node. */
const MOST_HOLES = 64

/** Hashes of the parts that are not shown; empty when there are too many. */
export function holesIn(shown: Cell): readonly Uint8Array[] {
  const holes = new Map<BinaryHash, Uint8Array>()
  const seen = new Set<Cell>()
  const walk = (cell: Cell): void => {
    if (cell.mask === 0 || seen.has(cell) || holes.size > MOST_HOLES) return
    seen.add(cell)
    if (cell.kind === CellKind.pruned) holes.set(cell.hash(0), cell.hashBytes(0))
    else for (const ref of cell.refs) walk(ref)
  }
  walk(shown)
  return holes.size > MOST_HOLES ? [] : [...holes.values()]
}
