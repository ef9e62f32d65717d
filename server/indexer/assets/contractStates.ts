// Contracts as of one masterchain block, and the results of their get-methods. The block itself shows contracts that it
// changed; others are read from the node and cached until a block changes them.

import { LRUCache } from 'lru-cache'
import {
  type BinaryHash,
  type Cell,
  footprintOf,
  hashFromBytes,
  MAX_DEPTH,
  readingBoc,
  sha256,
} from '../../cell/index.ts'
import {
  type ContractsSource,
  contractOf,
  type GetMethodTools,
  type MethodCall,
  MOST_GAS,
  type RunnableContract,
  type RunOutcome,
  type RunSetting,
  type RunSettings,
  runGetMethod,
  type StackValue,
  writeStack,
} from '../../contracts/index.ts'
import { accountKey } from '../../facts/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { methodId } from '../../interfaces/index.ts'
import { type AccountId, type BlockIdExt, type Chain, LiteError, type VerifiedAccount } from '../../node/index.ts'
import type { AccountRow } from '../../store/index.ts'
import { type TvmConfig, TvmError, type TvmRuns } from '../../tvm/index.ts'
import { accountIdOf } from '../accounts/accountIdOf.ts'
import { newestAccount } from '../accounts/lackingAccounts.ts'
import { type Asking, askNode } from '../chain/asking.ts'
import { Slots } from '../chain/slots.ts'
import { type CachedCode, cachedCodeOf } from './codeBook.ts'
import { RunLimits } from './runLimits.ts'

export interface ContractStatesParts extends Asking {
  readonly chain: Pick<Chain, 'account' | 'head' | 'libraries' | 'traits'>
  readonly pool: Pick<TvmRuns, 'runGetMethod'>
  readonly settings: RunSettings
}

/** A masterchain block, and what it changed. */
export interface ContractMoment {
  readonly id: BlockIdExt
  readonly utime: number
  /** A key block, which may bring another configuration. */
  readonly isKey: boolean
  readonly accounts: readonly AccountRow[]
  readonly codes: ReadonlyMap<BinaryHash, CachedCode>
}

/** A contract decides how large it is and what it answers: up to some 20 MB each. */
const KEPT_CONTRACTS_BYTES = 32 << 20
const KEPT_ANSWERS_BYTES = 16 << 20
/** Of an entry, or of a value on a stack, without cells. */
const ENTRY_BYTES = 512
const VALUE_BYTES = 64
/** Runs given to the pool at once: with more, many contracts of one code would meet a bound before the first is known. */
const RUNS_AT_ONCE = 8
/** What a contract can bring about. */
const ITS_DOING: readonly string[] = ['timeout', 'crashed', 'badInput']
const OUT_OF_GAS = -14

/** Where nothing but code, data and arguments enters, by the standards: what belongs to which owner or master. */
const LASTING: ReadonlySet<number> = new Set(
  ['get_wallet_address', 'get_nft_address_by_index', 'get_order_address'].map(methodId),
)
const DNSRESOLVE = methodId('dnsresolve')

/** As much as all of a contract's runs may cost together, so that it is the last of them. */
const FAILED: RunOutcome = { exitCode: -1, gasUsed: MOST_GAS + 1, stack: [] }

interface ReadOther {
  readonly contract: RunnableContract | null
}

/** What a block left of one that was read before. */
interface ChangedOther {
  readonly row: AccountRow
  readonly code: CachedCode
}

type Other = ReadOther | ChangedOther

function sizeOfOther(other: Other): number {
  if ('row' in other) return ENTRY_BYTES + (other.row.data?.length ?? 0)
  const { code = null, data = null, library = null } = other.contract ?? {}
  return ENTRY_BYTES + footprintOf([code, data, library].filter((cell) => cell !== null))
}

function sizeOfOutcome({ stack }: RunOutcome): number {
  const values: StackValue[] = [...stack]
  const cells: Cell[] = []
  // The list grows while it is walked.
  for (const value of values) {
    if ('cell' in value) cells.push(value.cell)
    if (value.kind === 'tuple') values.push(...value.items)
  }
  return ENTRY_BYTES + VALUE_BYTES * values.length + footprintOf(cells)
}

export class ContractStates {
  readonly #parts: ContractStatesParts
  readonly #others = new LRUCache<BinaryHash, Other>({ maxSize: KEPT_CONTRACTS_BYTES, sizeCalculation: sizeOfOther })
  #setting: Promise<RunSetting> | null = null
  readonly #limits: RunLimits
  readonly #runs = new Slots(RUNS_AT_ONCE)
  readonly #answers = new LRUCache<BinaryHash, RunOutcome>({
    maxSize: KEPT_ANSWERS_BYTES,
    sizeCalculation: sizeOfOutcome,
  })

  constructor(parts: ContractStatesParts, limits = new RunLimits()) {
    this.#parts = parts
    this.#limits = limits
  }

  /** Forgets what others were: the chain has gone another way. */
  forget(): void {
    this.#others.clear()
    this.#setting = null
  }

  /** As of a block. Blocks come in their order, none left out. */
  at({ id, utime, isKey, accounts, codes }: ContractMoment): ContractsSource {
    if (isKey) this.#setting = null
    const changed = new Map(accounts.map((row) => [hashFromBytes(row.account), row]))
    for (const [account, row] of changed) this.#change(account, row, codes)
    const reads = new Map<BinaryHash, Promise<RunnableContract | null>>()
    const setting = () => this.#settingAt(id)

    const find = async (account: AccountId, key: BinaryHash): Promise<RunnableContract | null> => {
      const row = changed.get(key)
      const contract =
        row === undefined
          ? await this.#other(id, account, key)
          : await contractOfRow(row, cachedCodeOf(codes, row.codeHash))
      return contract === null ? null : { ...contract, utime }
    }
    return {
      setting,
      contract(account) {
        const key = hashFromBytes(accountKey(account.workchain, account.hash))
        const before = reads.get(key)
        if (before !== undefined) return before
        const found = find(account, key)
        reads.set(key, found)
        return found
      },
      run: async (contract, call) => this.#answer(contract, call, await setting()),
    }
  }

  /** Without previous blocks: they differ in every block, and no detection depends on them. */
  async #settingAt(id: BlockIdExt): Promise<RunSetting> {
    this.#setting ??= this.#parts.settings.configAt(id, this.#parts.signal)
    return await this.#setting
  }

  async #other(block: BlockIdExt, account: AccountId, key: BinaryHash): Promise<RunnableContract | null> {
    const known = this.#others.get(key)
    if (known !== undefined && 'contract' in known) return known.contract
    const contract = await (known === undefined ? this.#read(block, account) : contractOfRow(known.row, known.code))
    this.#others.set(key, { contract })
    return contract
  }

  /** The row of a block is enough for one that was read before: reading an old state is the dearest of reads. */
  #change(key: BinaryHash, row: AccountRow, codes: ReadonlyMap<BinaryHash, CachedCode>): void {
    const before = this.#others.peek(key)
    if (before === undefined) return
    const code = cachedCodeOf(codes, row.codeHash)
    const isWhole = row.status === 'active' && code !== null && (row.data !== null || row.dataHash === null)
    // Rows lack libraries of the account's own.
    const hadLibrary = 'contract' in before && before.contract?.library !== null
    if (isWhole && !hadLibrary) this.#others.set(key, { row, code })
    else this.#others.delete(key)
  }

  async #read(block: BlockIdExt, account: AccountId): Promise<RunnableContract | null> {
    const found = await this.#accountAt(block, account)
    return contractOf(found.account, found.utime)
  }

  /** Where the state after the block is gone, the newest: what contracts are seldom changes. */
  async #accountAt(block: BlockIdExt, account: AccountId): Promise<VerifiedAccount> {
    try {
      return await askNode(this.#parts, (options) => this.#parts.chain.account(block, account, options))
    } catch (error) {
      if (!(error instanceof LiteError && error.isMissing)) throw error
      return await newestAccount(this.#parts, account)
    }
  }

  async #answer(contract: RunnableContract, call: MethodCall, { config }: RunSetting): Promise<RunOutcome> {
    const isLasting = LASTING.has(call.methodId) || (call.methodId === DNSRESOLVE && contract.workchain === -1)
    if (!isLasting) return this.#run(contract, call, config)
    const key = nameOf(contract, call)
    const before = this.#answers.get(key)
    if (before !== undefined) return before
    const outcome = await this.#run(contract, call, config)
    // What a bound ended, or what needed a library that is not published, may have an answer another time.
    if (outcome !== FAILED && outcome.lacksLibrary !== true) this.#answers.set(key, outcome)
    return outcome
  }

  #run(contract: RunnableContract, call: MethodCall, config: TvmConfig): Promise<RunOutcome> {
    return this.#runs.run(async () => {
      if (!this.#limits.allows(contract, call.methodId)) return FAILED
      const began = performance.now()
      const outcome = await this.#tryRun(contract, call, config)
      if (outcome !== null) {
        this.#limits.ended(outcome.gasUsed)
        return outcome
      }
      this.#limits.met(contract, call.methodId, performance.now() - began)
      return FAILED
    })
  }

  /** Null for a run that met a bound, or broke a thread. */
  async #tryRun(contract: RunnableContract, call: MethodCall, config: TvmConfig): Promise<RunOutcome | null> {
    const { chain, signal } = this.#parts
    // By code: contracts that are slow do not hold up those of another code.
    const share = contract.code.hash()
    const pool: GetMethodTools['pool'] = {
      runGetMethod: (...[of, run, options]) => this.#parts.pool.runGetMethod(of, run, { ...options, share }),
    }
    const tools = { chain, pool, setting: { config, prevBlocks: null }, ...this.#limits.bounds() }
    try {
      const outcome = await runGetMethod(tools, contract, call, signal)
      return outcome.exitCode === OUT_OF_GAS ? null : outcome
    } catch (error) {
      if (!isItsDoing(error)) throw error
      return null
    }
  }
}

const isItsDoing = (error: unknown): boolean => error instanceof TvmError && ITS_DOING.includes(error.code)

/** The name of an answer to which nothing else contributes. */
const nameOf = (
  { workchain, hash, code, data }: RunnableContract,
  { methodId: method, stack }: MethodCall,
): BinaryHash =>
  sha256(
    Buffer.concat([
      accountKey(workchain, hash),
      code.hashBytes(),
      data?.hashBytes() ?? new Uint8Array(32),
      Buffer.of(method >> 16, (method >> 8) & 0xff, method & 0xff),
      writeStack(stack).hashBytes(),
    ]),
  )

/** Null for an account that is not active, or whose code was never seen whole. */
async function contractOfRow(row: AccountRow, code: CachedCode | null): Promise<RunnableContract | null> {
  if (row.status !== 'active' || code === null) return null
  const { balance, data } = row
  const extra = Object.fromEntries(Object.entries(row.extra).map(([id, amount]) => [id, BigInt(amount)]))
  return {
    code: code.cell,
    data: data === null ? null : await inPieces(readingBoc(data, { maxDepth: MAX_DEPTH })),
    // Rows do not have them, and get-methods do not need them.
    library: null,
    balance,
    extra,
    utime: 0,
    ...accountIdOf(row.account),
  }
}
