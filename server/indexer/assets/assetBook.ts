// Contracts as steps leave them, and what tokens did in them.
//
// Every account a step changed is looked at. Its code says which kinds it may be of; only such a contract is asked
// anything, as of that step. A token's transactions count from its first one on, also those before it was known to be one:
// they are read again from the store once it is. What confirms a token may come later than the token; then it is found with
// its next transaction.

import { LRUCache } from 'lru-cache'
import { type Hash, hashFromBytes } from '../../cell/index.ts'
import { Contracts } from '../../contracts/index.ts'
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
  TransactionRow,
} from '../../store/index.ts'
import { type AccountRows, accountIdOf } from '../accounts/accountBook.ts'
import type { PreparedStep } from '../batch.ts'
import { Lanes } from '../chain/lanes.ts'
import { CodeBook, codeOf } from './codeBook.ts'
import { ContractStates, type ContractStatesParts } from './contractStates.ts'
import { detect, type Found, type Looked } from './detect.ts'
import { eventRows } from './events.ts'
import { TokenHistory } from './tokenHistory.ts'

export interface AssetBookParts extends ContractStatesParts {
  readonly database: Pick<Database, 'transaction'>
  /** What the index is of. */
  readonly network: string
}

/** Contracts that are looked at side by side. */
const AT_ONCE = 64
const KEPT_PLAIN = 100_000

/** A step as contracts see it. */
export interface Look {
  readonly id: BlockIdExt
  readonly utime: number
  readonly isKey: boolean
  readonly accounts: readonly AccountRow[]
  /** Code that may not stand in the store yet. */
  readonly codes: readonly CodeRow[]
}

/** What is known of a batch before its traces are; the traces give events the ids they go by. */
export type PreparedAssets = (rows: readonly Pick<TransactionRow, 'hash' | 'traceId'>[]) => AssetRows

export class AssetBook {
  readonly #parts: AssetBookParts
  readonly #codes: CodeBook
  readonly #states: ContractStates
  readonly #history: TokenHistory
  readonly #atOnce = new Lanes(AT_ONCE)
  /** Accounts of which no table has a row, by the code that is why. */
  readonly #plain = new LRUCache<Hash, Hash>({ max: KEPT_PLAIN })

  constructor(parts: AssetBookParts) {
    this.#parts = parts
    this.#codes = new CodeBook(parts)
    this.#states = new ContractStates(parts)
    this.#history = new TokenHistory(parts.database)
  }

  /** Forgets what only holds as long as the chain goes on. */
  forget(): void {
    this.#states.forget()
    this.#plain.clear()
    this.#history.forget()
  }

  /** Of steps that follow each other and those before; `born` are the accounts the first of them found. */
  async prepare(steps: readonly PreparedStep[], born: AccountRows | null): Promise<PreparedAssets> {
    const looked: Looked[] = []
    const checked = new Map<Hash, AccountKey>()
    for (const [i, { step, accounts }] of steps.entries()) {
      const all = i === 0 && born !== null ? joined(born, accounts) : accounts
      const { id, facts } = step.master
      const { genUtime: utime, keyBlock: isKey } = facts.block
      const one = await this.#look({ id, utime, isKey, ...all })
      looked.push(one.looked)
      for (const account of one.checked) checked.set(hashFromBytes(account), account)
    }
    const contracts = contractsFound(looked, [...checked.values()])
    const transactions = await this.#history.of(
      steps.map(({ step }) => step),
      looked,
    )
    return (rows) => {
      const traces = new Map(rows.map(({ hash, traceId }) => [hashFromBytes(hash), traceId]))
      const events = eventRows(transactions((hash) => traces.get(hashFromBytes(hash)) ?? null))
      return { ...contracts, ...events }
    }
  }

  /** What accounts were as of a block, all of whose code stands in the store. */
  async at(look: Omit<Look, 'isKey'>): Promise<ContractsFound> {
    this.forget()
    const { looked, checked } = await this.#look({ ...look, isKey: true })
    this.forget()
    return contractsFound([looked], checked)
  }

  async #look({ codes: fresh, ...step }: Look): Promise<{ looked: Looked; checked: AccountKey[] }> {
    const { accounts } = step
    const hashes = new Map<Hash, Uint8Array>()
    for (const { codeHash } of accounts) if (codeHash !== null) hashes.set(hashFromBytes(codeHash), codeHash)
    const codes = await this.#codes.of([...hashes.values()], fresh)
    const source = this.#states.at({ ...step, codes })
    const looked = new Map<Hash, Found>()
    const checked: AccountKey[] = []
    await Promise.all(
      accounts.map(async (row) => {
        const key = hashFromBytes(row.account)
        const kinds = row.status === 'active' && row.dataHash !== null ? (codeOf(codes, row.codeHash)?.kinds ?? []) : []
        if (kinds.length === 0 && this.#isPlain(key, row)) return
        const { account, codeHash, dataHash, lastTxLt } = row
        checked.push(account)
        looked.set(key, {})
        if (kinds.length === 0 || codeHash === null || dataHash === null) return
        this.#plain.delete(key)
        const head = { account, codeHash, dataHash, lastTxLt }
        const contracts = new Contracts(source)
        const subject = { contracts, id: accountIdOf(account), head, network: this.#parts.network }
        looked.set(key, await this.#atOnce.run(() => detect(subject, kinds)))
      }),
    )
    return { looked, checked }
  }

  /** Whether an account was none of anything before either; notes that it is now. */
  #isPlain(key: Hash, { codeHash }: AccountRow): boolean {
    const code = codeHash === null ? '' : hashFromBytes(codeHash)
    if (this.#plain.get(key) === code) return true
    this.#plain.set(key, code)
    return false
  }
}

function joined(born: AccountRows, { accounts, codes }: AccountRows): Pick<AccountRows, 'accounts' | 'codes'> {
  const last = new Map([...born.accounts, ...accounts].map((row) => [hashFromBytes(row.account), row]))
  return { accounts: [...last.values()], codes: [...born.codes, ...codes] }
}

/** The last that was found of each account. */
function contractsFound(looked: readonly Looked[], checked: readonly AccountKey[]): ContractsFound {
  const last = new Map(looked.flatMap((one) => [...one]))
  const all = [...last.values()]
  const of = <K extends AssetKind>(kind: K): readonly AssetRow[K][] =>
    all.flatMap((found) => {
      const row: AssetRow[K] | undefined = found[kind]
      return row === undefined ? [] : [row]
    })
  return {
    checked,
    found: {
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
    },
  }
}
