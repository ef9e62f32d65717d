// Elections, validators and pools, step by step: from the storage of the elector, the configuration of key blocks, the storage
// of pools, and messages between them.

import { hashFromBytes, MAX_DEPTH, openCell, orNull, readBoc, sameBytes } from '../../cell/index.ts'
import { accountKey, codeRow, stakeEvent } from '../../facts/index.ts'
import { type BlockIdExt, MASTERCHAIN } from '../../node/index.ts'
import {
  type AccountKey,
  type AccountRow,
  type CodeRow,
  groupBy,
  readStakingStart,
  type StakingRows,
} from '../../store/index.ts'
import {
  blockExtraOf,
  type ElectorData,
  frozenStakes,
  loadBlock,
  masterExtraOf,
  readElection,
} from '../../tlb/index.ts'
import { accountContent } from '../accounts/accountContent.ts'
import { accountIdOf } from '../accounts/accountIdOf.ts'
import type { PreparedStep } from '../accounts/preparedStep.ts'
import { askNode, ifThere } from '../chain/asking.ts'
import type { Tip } from '../chain/chainStep.ts'
import { StakingCollector } from './collector.ts'
import { ElectionReader } from './electionReader.ts'
import { PoolBook } from './poolBook.ts'
import { Recognition } from './recognition.ts'
import { readStakingConfig, STAKING_PARAMS, type StakingConfig } from './stakingConfig.ts'
import type { StakingParts } from './stakingParts.ts'

/** Accounts with stakes that are examined when an index begins: any of them may be a pool. */
const MOST_HOLDERS = 2000
const MASTERCHAIN_BYTE = MASTERCHAIN + 128

/** An account as of a block, with its code. */
interface Found {
  readonly row: AccountRow
  readonly code: CodeRow | null
}

export class StakingBook {
  readonly #parts: StakingParts
  readonly #elections = new ElectionReader()
  readonly #pools: PoolBook
  /** Undefined until it was looked for; null before the first configuration. */
  #config: StakingConfig | null | undefined
  #electorData: Uint8Array | null = null

  constructor(parts: StakingParts) {
    this.#parts = parts
    this.#pools = new PoolBook(parts, new Recognition(parts.assets))
  }

  /** Steps follow each other and the tip, or the steps before. */
  async rows(steps: readonly PreparedStep[], tip: Tip): Promise<StakingRows> {
    const to = new StakingCollector()
    if (this.#config === undefined) await this.#begin(tip, steps[0], to)
    const codes: CodeRow[] = []
    for (const step of steps) {
      codes.push(...(step.born?.codes ?? []), ...step.accounts.codes)
      await this.#step(step, codes, to)
    }
    return to.rows()
  }

  /** All that can be read at one block, where the index goes back to it; of a book that has read nothing else. */
  async at(id: BlockIdExt, accounts: readonly AccountRow[]): Promise<StakingRows> {
    const to = new StakingCollector()
    await this.#pools.begin()
    const config = await this.#configAt(id)
    if (config === null) return to.rows()
    this.#elections.readConfig(config, id.seqno, to)
    const elector = await this.#accountAt(id, config.elector)
    if (elector !== null) this.#readElector(elector.row, config, id.seqno, to)
    const step = { id, utime: 0, codes: [], previous: [], elector: config.elector, to, isRestored: true }
    for (const row of accounts) if (isOfMaster(row.account)) await this.#pools.see(row, [], step)
    return to.rows()
  }

  async #begin(tip: Tip, first: PreparedStep | undefined, to: StakingCollector): Promise<void> {
    await this.#pools.begin()
    this.#config = tip.id.seqno === 0 ? null : await this.#configAt(tip.id)
    const start = await this.#parts.database.transaction((sql) => readStakingStart(sql))
    if (start !== null || first === undefined) return
    const { mcSeqno, genUtime: utime } = first.step.master.facts.block
    to.start = { mcSeqno, utime }
    if (this.#config !== null) await this.#lookAround(tip.id, this.#config, to)
  }

  /** What is there already where the index begins in the middle of a chain. */
  async #lookAround(id: BlockIdExt, config: StakingConfig, to: StakingCollector): Promise<void> {
    this.#elections.readConfig(config, id.seqno, to)
    const elector = await this.#accountAt(id, config.elector)
    const data = elector && this.#readElector(elector.row, config, id.seqno, to)
    if (data === null) return
    const found = await Promise.all(holdersIn(data).map((holder) => this.#accountAt(id, holder)))
    for (const one of found) {
      if (one === null) continue
      const codes = one.code === null ? [] : [one.code]
      await this.#pools.see(one.row, [], { id, utime: 0, codes, previous: [], elector: config.elector, to })
    }
  }

  async #step({ step, accounts, born }: PreparedStep, codes: readonly CodeRow[], to: StakingCollector): Promise<void> {
    const { id, keyRoot, previous, facts } = step.master
    const before = this.#config ?? null
    if (keyRoot !== null) {
      const { config } = masterExtraOf(blockExtraOf(loadBlock(openCell(keyRoot)))) ?? { config: null }
      const found = config === null ? null : readStakingConfig(config)
      if (found !== null) {
        this.#elections.readConfig(found, id.seqno, to)
        // Complaints are read again: who decides on them may be others now.
        this.#electorData = null
        this.#config = found
      }
    }
    const config = this.#config ?? null
    // In a key block the rules before it are in force.
    const elector = (before ?? config)?.elector
    if (config === null || elector === undefined) return
    const all = [step.master, ...step.shards].flatMap((block) => block.facts.transactions)
    for (const transaction of all) {
      const event = stakeEvent(transaction, elector)
      if (event !== null) to.stakeEvent(event)
    }
    const ofAccount = groupBy(facts.transactions, ({ account }) => hashFromBytes(account))
    const sight = { id, previous, utime: facts.block.genUtime, codes, elector, to }
    for (const row of (born?.accounts ?? []).filter(({ account }) => isOfMaster(account)))
      await this.#pools.see(row, [], sight)
    for (const row of accounts.accounts.filter(({ account }) => isOfMaster(account))) {
      const key = hashFromBytes(row.account)
      if (key === hashFromBytes(config.elector)) this.#readElector(row, config, id.seqno, to)
      else await this.#pools.see(row, ofAccount.get(key) ?? [], sight)
    }
  }

  #readElector(row: AccountRow, config: StakingConfig, mcSeqno: number, to: StakingCollector): ElectorData | null {
    const { data } = row
    if (data === null || (this.#electorData !== null && sameBytes(this.#electorData, data))) return null
    this.#electorData = data
    const cell = readBoc(data, { maxDepth: MAX_DEPTH })
    return this.#elections.read(cell, config, mcSeqno, to)
  }

  async #configAt(id: BlockIdExt): Promise<StakingConfig | null> {
    return await ifThere(async () => {
      const { config } = await askNode(this.#parts, (options) => this.#parts.chain.config(id, STAKING_PARAMS, options))
      return readStakingConfig(config)
    })
  }

  async #accountAt(id: BlockIdExt, account: AccountKey): Promise<Found | null> {
    const { chain, signal } = this.#parts
    return await ifThere(async () => {
      const { shardAccount } = await askNode(this.#parts, (options) => chain.account(id, accountIdOf(account), options))
      if (shardAccount === null) return null
      const { state, data, code } = await accountContent(shardAccount.account, { signal })
      const { lastTransHash: lastTxHash, lastTransLt: lastTxLt } = shardAccount
      const row = { account, lastTxHash, lastTxLt, data, mcSeqno: id.seqno, ...state }
      return { row, code: code === null ? null : codeRow(code) }
    })
  }
}

const isOfMaster = (account: AccountKey): boolean => account[0] === MASTERCHAIN_BYTE

/** Accounts that have or had a stake with the elector. */
function holdersIn({ election, past, credits }: ElectorData): AccountKey[] {
  const holders = new Map<string, AccountKey>()
  const add = (id: Uint8Array): void => {
    const key = accountKey(MASTERCHAIN, id)
    if (holders.size < MOST_HOLDERS) holders.set(hashFromBytes(key), key)
  }
  const open = election === null ? null : orNull(() => readElection(election))
  for (const { holder } of open?.members.values() ?? []) add(holder)
  for (const one of past.values()) for (const [, { holder }] of orNull(() => frozenStakes(one)) ?? []) add(holder)
  for (const [id] of credits) {
    if (holders.size >= MOST_HOLDERS) break
    add(Buffer.from(id, 'latin1'))
  }
  return [...holders.values()]
}
