// Contracts as steps leave them, and what tokens did in them.
//
// Every account that a step changed is examined. Its code says which kinds it may be of; get-methods run only on such
// contracts, as of that step. A token's transactions count from its first one on, also those before it was detected:
// they are read again from the store then. What confirms a token may come later than the token; then it is detected at
// its next transaction.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import { Contracts } from '../../contracts/index.ts'
import { inPieces, SlicedWork } from '../../fairness/index.ts'
import type { BlockIdExt } from '../../node/index.ts'
import type {
  AccountKey,
  AccountRow,
  AssetKind,
  AssetRow,
  AssetRows,
  CodeRow,
  ContractsFound,
  Database,
  ItemLook,
  TransactionRow,
} from '../../store/index.ts'
import type { AccountRows } from '../accounts/accountBook.ts'
import { accountIdOf } from '../accounts/accountIdOf.ts'
import type { PreparedStep } from '../accounts/preparedStep.ts'
import { Slots } from '../chain/slots.ts'
import { upTo } from '../upTo.ts'
import { CodeBook, cachedCodeOf } from './codeBook.ts'
import { ContractStates, type ContractStatesParts } from './contractStates.ts'
import { type DetectedAssets, detect, type Looked, type StepContracts } from './detectAssets.ts'
import { eventRows } from './eventRows.ts'
import { makingItemLooks } from './itemLooks.ts'
import { TokenHistory } from './tokenHistory.ts'

export interface AssetBookParts extends ContractStatesParts {
  readonly database: Pick<Database, 'transaction'>
  /** The network that is indexed. */
  readonly network: string
}

/** Contracts examined concurrently. */
const AT_ONCE = 64
const KEPT_ACCOUNTS = 100_000
/** Accounts after which others may be served. */
const PIECE = 500
const NONE: readonly AssetKind[] = []
/** Kinds with rows in a second table, which are replaced with each change. */
const WITH_MEMBERS: readonly AssetKind[] = ['multisigs', 'vestings']

/** With the results of get-methods, which run while other steps are read; null where contracts are not examined. */
export interface LookedStep extends PreparedStep {
  readonly looked: Promise<StepContracts> | null
}

/** A step as contracts see it. */
export interface Look {
  readonly id: BlockIdExt
  readonly utime: number
  readonly isKey: boolean
  readonly accounts: readonly AccountRow[]
  /** Code that may not be in the store yet. */
  readonly codes: readonly CodeRow[]
}

/** Makes the rows of a batch, in pieces, once its traces are known: events have the id of their trace. */
export type PreparedAssets = (rows: readonly Pick<TransactionRow, 'hash' | 'traceId'>[]) => Generator<void, AssetRows>

interface Prepared {
  readonly contracts: ContractsFound
  readonly transactions: Awaited<ReturnType<TokenHistory['of']>>
  readonly looks: AssetRows['itemLooks']
  readonly codes: AssetRows['codes']
}

function* assetRows({ contracts, transactions, looks, codes }: Prepared, rows: Parameters<PreparedAssets>[0]) {
  const traces = new Map(rows.map(({ hash, traceId }) => [hashFromBytes(hash), traceId]))
  yield
  const events = yield* eventRows(transactions((hash) => traces.get(hashFromBytes(hash)) ?? null))
  return { ...contracts, ...events, itemLooks: looks, codes }
}

export class AssetBook {
  readonly #parts: AssetBookParts
  readonly #codes: CodeBook
  readonly #states: ContractStates
  readonly #history: TokenHistory
  readonly #atOnce = new Slots(AT_ONCE)
  #last: Promise<unknown> = Promise.resolve()
  /** The kinds each account had when it was last examined: only tables of these kinds have a row of it. */
  readonly #were = new LRUCache<BinaryHash, readonly AssetKind[]>(upTo(KEPT_ACCOUNTS))

  constructor(parts: AssetBookParts) {
    this.#parts = parts
    this.#codes = new CodeBook(parts)
    this.#states = new ContractStates(parts)
    this.#history = new TokenHistory(parts.database)
  }

  /** Drops what is valid only while the chain is not reverted. */
  forget(): void {
    this.#codes.forget()
    this.#states.forget()
    this.#were.clear()
    this.#history.forget()
  }

  /** Examines what a step changed, after all steps before it. Steps come in order, none left out. */
  look({ step, accounts, born }: PreparedStep): Promise<StepContracts> {
    const { id, facts } = step.master
    const { genUtime: utime, keyBlock: isKey } = facts.block
    const all = born === null ? accounts : joined(born, accounts)
    const looked = this.#last.then(() => this.#look({ id, utime, isKey, ...all }))
    this.#last = looked
    // `prepare` reports the failure.
    looked.catch(() => undefined)
    return looked
  }

  /** Of consecutive steps, which follow those of the last call. */
  async prepare(steps: readonly LookedStep[]): Promise<PreparedAssets> {
    const all = await Promise.all(steps.flatMap(({ looked }) => looked ?? []))
    const looked = all.map((one) => one.looked)
    const slices = new SlicedWork()
    const contracts = await inPieces(
      joiningContracts(
        looked,
        all.map(({ checked }) => checked),
      ),
      slices,
    )
    const looks: ItemLook[] = []
    for (const [i, { step }] of steps.entries()) {
      const one = all[i]
      if (one !== undefined) for (const look of await inPieces(makingItemLooks(step, one), slices)) looks.push(look)
    }
    const transactions = await this.#history.of(
      steps.map(({ step }) => step),
      looked,
    )
    const codes = all.flatMap((one) => one.codes)
    return (rows) => assetRows({ contracts, transactions, looks, codes }, rows)
  }

  /** Contracts as of a block; all of their code is in the store. */
  async at(look: Omit<Look, 'isKey'>): Promise<ContractsFound> {
    this.forget()
    const { looked, checked } = await this.#look({ ...look, isKey: true })
    this.forget()
    return await inPieces(joiningContracts([looked], [checked]))
  }

  async #look({ codes: fresh, ...step }: Look): Promise<StepContracts> {
    const { accounts } = step
    const hashes = new Map<BinaryHash, Uint8Array>()
    for (const { codeHash } of accounts) if (codeHash !== null) hashes.set(hashFromBytes(codeHash), codeHash)
    const codes = await this.#codes.of([...hashes.values()], fresh)
    const learned = this.#codes.learned()
    const source = this.#states.at({ codes, ...step })
    const looked = new Map<BinaryHash, DetectedAssets>()
    const checked: AccountKey[] = []
    await Promise.all(
      accounts.map(async (row) => {
        const key = hashFromBytes(row.account)
        const kinds =
          row.status === 'active' && row.dataHash !== null ? (cachedCodeOf(codes, row.codeHash)?.kinds ?? []) : []
        const { account, codeHash, dataHash, lastTxLt } = row
        if (kinds.length > 0 && codeHash !== null && dataHash !== null) {
          const head = { account, codeHash, dataHash, lastTxLt }
          const contracts = new Contracts(source)
          const subject = { contracts, id: accountIdOf(account), head, network: this.#parts.network }
          looked.set(key, await this.#atOnce.run(() => detect(subject, kinds)))
        }
        const found = looked.get(key)
        if (this.#mayLose(key, found === undefined ? NONE : kindsOf(found))) {
          checked.push(account)
          if (found === undefined) looked.set(key, {})
        }
      }),
    )
    return { looked, checked, codes: learned }
  }

  /** Whether tables may have outdated rows of an account; stores its present kinds. */
  #mayLose(key: BinaryHash, kinds: readonly AssetKind[]): boolean {
    const before = this.#were.get(key)
    this.#were.set(key, kinds)
    if (before === undefined) return true
    return before.some((kind) => !kinds.includes(kind) || WITH_MEMBERS.includes(kind))
  }
}

// The cast: that is all the names it can have.
const kindsOf = (found: DetectedAssets): readonly AssetKind[] => Object.keys(found) as AssetKind[]

function joined(born: AccountRows, { accounts, codes }: AccountRows): Pick<AccountRows, 'accounts' | 'codes'> {
  const last = new Map([...born.accounts, ...accounts].map((row) => [hashFromBytes(row.account), row]))
  return { accounts: [...last.values()], codes: [...born.codes, ...codes] }
}

/** Of different accounts. */
export function joinedContracts(parts: readonly ContractsFound[], checked: readonly AccountKey[]): ContractsFound {
  const of = <K extends AssetKind>(kind: K): AssetRow[K][] => parts.flatMap(({ found }) => found[kind])
  return { checked: [...parts.flatMap((one) => one.checked), ...checked], found: byKind(of) }
}

/** The last result of each account. */
function* joiningContracts(
  looked: readonly Looked[],
  checked: readonly (readonly AccountKey[])[],
): Generator<void, ContractsFound> {
  const last = new Map<BinaryHash, DetectedAssets>()
  for (const one of looked) {
    yield
    for (const [key, found] of one) last.set(key, found)
  }
  const found = byKind(() => [])
  let count = 0
  for (const one of last.values()) {
    if (count++ % PIECE === 0) yield
    for (const kind of kindsOf(one)) add(found, kind, one[kind])
  }
  const accounts = new Map<BinaryHash, AccountKey>()
  for (const own of checked) {
    yield
    for (const account of own) accounts.set(hashFromBytes(account), account)
  }
  return { checked: [...accounts.values()], found }
}

type FoundByKind = { readonly [K in AssetKind]: AssetRow[K][] }

function add<K extends AssetKind>(found: FoundByKind, kind: K, row: AssetRow[K] | undefined): void {
  if (row !== undefined) found[kind].push(row)
}

const byKind = (of: <K extends AssetKind>(kind: K) => AssetRow[K][]): FoundByKind => ({
  jettonMasters: of('jettonMasters'),
  jettonWallets: of('jettonWallets'),
  nftCollections: of('nftCollections'),
  nftItems: of('nftItems'),
  nftSales: of('nftSales'),
  dnsRecords: of('dnsRecords'),
  multisigs: of('multisigs'),
  multisigOrders: of('multisigOrders'),
  vestings: of('vestings'),
  dedustPools: of('dedustPools'),
})
