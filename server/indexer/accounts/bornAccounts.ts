// Accounts of genesis: no transaction created them, so only the first states show them. Over lite servers such a state may be
// gone, or too large to be sent: the index then goes on without its accounts, and reports that.

import type { Cell } from '../../cell/index.ts'
import { accountsOfState, codeRow, type ParsedAccount, ParseError } from '../../facts/index.ts'
import { SlicedWork } from '../../fairness/index.ts'
import { type BlockIdExt, type Chain, LiteError, ProofError } from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import type { AccountRow, AccountStateRow, CodeRow } from '../../store/index.ts'
import { type Asking, askNode } from '../chain/asking.ts'
import { blockPlaceOf, type ChainStep } from '../chain/chainStep.ts'
import { IndexerError } from '../indexerError.ts'
import { troubleText } from '../trouble.ts'
import type { AccountRows } from './accountBook.ts'
import type { Lacking } from './lackingAccounts.ts'
import type { CarriedLacks } from './lackSearch.ts'

export interface BornParts extends Asking {
  readonly chain: Pick<Chain, 'state' | 'traits'>
  readonly log: Pick<Log, 'warn'>
  readonly carried: Pick<CarriedLacks, 'firstStateFailures'>
  readonly progress: { lacksFirstState: boolean }
}

/** Failures of a process until it goes on without a first state. */
const MOST_FAILURES = 6
/** And how long it tries, unless servers say that they do not have the state: one that restarts is back by then. */
const LEAST_MS = 60_000
/** Accounts share cells: written out for each, their data may be far larger than the state. The rest is looked for later. */
const MOST_BYTES = 64 * 1024 * 1024

/** The states that the first step of a chain begins with, each once. */
function firstStatesOf({ master, shards }: ChainStep): readonly BlockIdExt[] {
  const before = [master, ...shards].flatMap(({ previous }) => previous)
  const named = [...before, ...(master.facts.master?.shardTops ?? [])].filter(({ seqno }) => seqno === 0)
  return [...new Map(named.map((id) => [blockPlaceOf(id), id])).values()]
}

/** Every account of the first states. `lacks` is called for each whose data or code is left out. */
export async function bornAccounts(
  parts: BornParts,
  step: ChainStep,
  lacks: (lacking: Lacking) => void,
): Promise<AccountRows> {
  const isRemote = parts.chain.traits.firstSeqno === null
  parts.progress.lacksFirstState = false
  const found = new BornRows(isRemote ? MOST_BYTES : Number.POSITIVE_INFINITY, lacks)
  for (const id of firstStatesOf(step)) {
    try {
      await addAccounts(found, parts, id)
    } catch (error) {
      if (!isRemote || !mayGoOn(parts, id, error)) throw error
      const block = blockPlaceOf(id)
      parts.progress.lacksFirstState = true
      parts.log.warn(
        { block, reason: troubleText(error) },
        'first state not indexed: its accounts are unknown until used',
      )
    }
  }
  return found.rows()
}

/** Failures before this one may have passed with another server, or once one is there again. */
function mayGoOn({ carried, signal }: BornParts, id: BlockIdExt, error: unknown): boolean {
  if (signal.aborted) return false
  if (error instanceof ParseError) return true
  if (!(error instanceof LiteError || error instanceof ProofError)) return false
  const block = blockPlaceOf(id)
  const failed = carried.firstStateFailures.get(block) ?? { count: 0, since: performance.now() }
  carried.firstStateFailures.set(block, failed)
  failed.count++
  const isGone = error instanceof LiteError && error.isMissing
  return failed.count >= MOST_FAILURES && (isGone || performance.now() - failed.since >= LEAST_MS)
}

async function addAccounts(found: BornRows, parts: BornParts, id: BlockIdExt): Promise<void> {
  const state = await askNode(parts, (options) => parts.chain.state(id, options))
  const slices = new SlicedWork({ signal: parts.signal })
  for (const facts of accountsOfState(state)) {
    if (slices.isDue) await slices.rest()
    found.add(facts)
  }
}

class BornRows {
  readonly #accounts: AccountRow[] = []
  readonly #states: AccountStateRow[] = []
  readonly #codes = new Map<string, CodeRow>()
  readonly #lacks: (lacking: Lacking) => void
  /** Bytes of data and code that may be added. */
  #room: number

  constructor(room: number, lacks: (lacking: Lacking) => void) {
    this.#room = room
    this.#lacks = lacks
  }

  add({ account, lastTxHash, lastTxLt, state, data, code }: ParsedAccount): void {
    if (state === 'incomplete' || data === 'incomplete' || code === 'incomplete')
      throw new IndexerError('malformed', 'the first state of the chain is not whole')
    const kept = data !== null && this.#hasRoom(data) ? data : null
    const row = { account, lastTxHash, lastTxLt, data: kept, mcSeqno: 0, ...state }
    const lacksCode = code !== null && !this.#addCode(code)
    this.#accounts.push(row)
    this.#states.push(state)
    if (lacksCode || kept !== data) this.#lacks({ row, lacksCode })
  }

  #addCode(code: Cell): boolean {
    const hash = code.hash()
    if (this.#codes.has(hash)) return true
    const row = codeRow(code)
    if (!this.#hasRoom(row.boc)) return false
    this.#codes.set(hash, row)
    return true
  }

  #hasRoom({ length }: Uint8Array): boolean {
    if (length > this.#room) return false
    this.#room -= length
    return true
  }

  rows(): AccountRows {
    return { accounts: this.#accounts, accountStates: this.#states, codes: [...this.#codes.values()] }
  }
}
