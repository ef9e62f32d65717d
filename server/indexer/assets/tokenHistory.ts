// Which transactions are those of tokens: of steps that are being written, and, of an account that turns out to be a token
// late, of those before. The result depends on the steps alone, not on how they are divided into batches.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { TransactionFacts } from '../../facts/index.ts'
import { inPieces, lightInSlices, SlicedWork } from '../../fairness/index.ts'
import {
  type AccountKey,
  type Database,
  type KnownToken,
  type OldTransaction,
  readKnownTokens,
  readTransactionsOf,
} from '../../store/index.ts'
import type { StepTransactions } from '../chain/chainStep.ts'
import { upTo } from '../upTo.ts'
import type { Looked } from './detectAssets.ts'
import { TOKEN_OPS, type TokenTransaction } from './eventRows.ts'
import {
  isBirth,
  type LateToken,
  nameOfRequest,
  nameOfToken,
  possibleTokens,
  type StepOfTokens,
  type TokenRequest,
  type TokenState,
  TokenWalk,
} from './tokenWalk.ts'

const KEPT_TOKENS = 100_000
/** Maximum earlier transactions one batch reads for accounts that are detected as tokens late: a contract may have any number. */
const MOST_OLD = 10_000
/** Transactions, or accounts, after which others may be served: a block may have ten thousand. */
const PIECE = 100

export type TokenTransactions = (traceOf: (transaction: Uint8Array) => Uint8Array | null) => readonly TokenTransaction[]

export class TokenHistory {
  readonly #database: Pick<Database, 'transaction'>
  /** As the store has them once this batch is written. Former tokens are kept if requests to them were counted. */
  readonly #states = new LRUCache<string, TokenState>(upTo(KEPT_TOKENS))

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
  }

  forget(): void {
    this.#states.clear()
  }

  /** Transactions of tokens in these steps; `looked` is what was detected in each step. */
  async of(steps: readonly StepTransactions[], looked: readonly Looked[]): Promise<TokenTransactions> {
    const slices = new SlicedWork()
    const facts = steps.map(({ master, shards }) => [master, ...shards].flatMap((block) => block.facts.transactions))
    const parts: StepOfTokens[] = []
    for (const [i, { master }] of steps.entries())
      parts.push(await inPieces(readingStep(facts[i] ?? [], looked[i] ?? new Map(), master.id.seqno), slices))
    const walk = new TokenWalk(await this.#statesBefore(parts, facts, slices))
    for (const part of parts) await inPieces(walk.taking(part), slices)
    const old = walk.late.length === 0 ? [] : await this.#old(walk.late, slices)
    const keep = ([name, state]: readonly [string, TokenState]): unknown =>
      state.token !== null || state.countedTo > 0n ? this.#states.set(name, state) : this.#states.delete(name)
    await lightInSlices([...walk.states], keep, slices)
    return (traceOf) => [
      ...old,
      ...walk.counted.flatMap(({ request, ...counted }) => {
        const traceId = traceOf(request.hash)
        return traceId === null ? [] : [{ ...counted, transaction: { traceId, ...request } }]
      }),
    ]
  }

  /** States before the first of these steps, of all tokens that they name. */
  async #statesBefore(
    parts: readonly StepOfTokens[],
    facts: readonly (readonly TransactionFacts[])[],
    slices: SlicedWork,
  ): Promise<Map<string, TokenState>> {
    const states = new Map<string, TokenState>()
    const isNew = await inPieces(findingNewAccounts(facts), slices)
    const unknown = new Map<BinaryHash, AccountKey>()
    const need = (name: string, account: AccountKey): void => {
      if (states.has(name)) return
      const known = this.#states.get(name)
      if (known !== undefined) states.set(name, known)
      else if (!isNew.has(hashFromBytes(account))) unknown.set(hashFromBytes(account), account)
    }
    for (const { requests, tokens } of parts) {
      await lightInSlices(requests, (request) => need(nameOfRequest(request), request.account), slices)
      await lightInSlices([...tokens], ([name, token]) => need(name, token.account), slices)
    }
    if (unknown.size > 0)
      for (const token of await this.#database.transaction((sql) => readKnownTokens(sql, [...unknown.values()]))) {
        const name = nameOfToken(token)
        if (!states.has(name)) states.set(name, { token, countedTo: 0n })
      }
    // Contracts that may have stopped being tokens without a request.
    const take = (name: string): void => {
      const known = states.has(name) ? undefined : this.#states.get(name)
      if (known !== undefined) states.set(name, known)
    }
    for (const { examined } of parts) await lightInSlices(examined, take, slices)
    return states
  }

  async #old(late: readonly LateToken[], slices: SlicedWork): Promise<readonly TokenTransaction[]> {
    const accounts = late.map(({ token: { account }, countedTo }) => ({ account, after: countedTo }))
    const transactions = await this.#database.transaction((sql) =>
      readTransactionsOf(sql, { accounts, opcodes: TOKEN_OPS, most: MOST_OLD }),
    )
    const tokens = new Map(late.map((one) => [nameOfToken(one.token), one]))
    const ofToken = (transaction: OldTransaction): TokenTransaction[] => {
      const found = tokens.get(nameOfRequest(transaction))
      return found === undefined ? [] : [{ transaction, token: found.token, lateMcSeqno: found.mcSeqno }]
    }
    return (await lightInSlices(transactions, ofToken, slices)).flat()
  }
}

/** Accounts that were not active before these transactions: the store has no token there. */
function* findingNewAccounts(
  facts: readonly (readonly TransactionFacts[])[],
): Generator<void, ReadonlySet<BinaryHash>> {
  const first = new Map<BinaryHash, TransactionFacts>()
  for (const own of facts)
    for (const [i, one] of own.entries()) {
      if (i % PIECE === 0) yield
      const key = hashFromBytes(one.account)
      const before = first.get(key)
      if (before === undefined || one.lt < before.lt) first.set(key, one)
    }
  return new Set([...first].flatMap(([key, { origStatus }]) => (origStatus === 'active' ? [] : [key])))
}

function* readingStep(
  facts: readonly TransactionFacts[],
  looked: Looked,
  mcSeqno: number,
): Generator<void, StepOfTokens> {
  const births = new Map<BinaryHash, bigint>()
  const requests: TokenRequest[] = []
  for (const [i, one] of facts.entries()) {
    if (i % PIECE === 0) yield
    const key = hashFromBytes(one.account)
    if (isBirth(one) && one.lt > (births.get(key) ?? -1n)) births.set(key, one.lt)
    const request = requestOf(one)
    if (request !== null) requests.push(request)
  }
  const tokens = new Map<string, KnownToken>()
  const examined: string[] = []
  for (const [account, { jettonWallets: wallet, nftItems: item }] of looked) {
    if (examined.length % PIECE === 0) yield
    if (wallet !== undefined) add(tokens, { account: wallet.account, kind: 'jettonWallet', of: wallet.jetton })
    if (item !== undefined) add(tokens, { account: item.account, kind: 'nftItem', of: item.collection })
    examined.push(...possibleTokens(account))
  }
  return { births, tokens, requests, examined, mcSeqno }
}

const add = (tokens: Map<string, KnownToken>, token: KnownToken) => tokens.set(nameOfToken(token), token)

/** Null for a transaction that is not a request to a token, whatever its account is. */
function requestOf(facts: TransactionFacts): TokenRequest | null {
  const { origStatus, endStatus, inMessage } = facts
  if (origStatus !== 'active' && endStatus !== 'active') return null
  if (inMessage?.kind !== 'internal' || inMessage.source === null || inMessage.opcode === null) return null
  const { source, opcode, body } = inMessage
  const { hash, account, lt, now, description } = facts
  return TOKEN_OPS.includes(opcode) ? { hash, account, lt, now, description, source, opcode, body } : null
}
