// Which transactions are those of tokens: of steps that are being written, and, of an account that turns out to be a token
// late, of those before. The result depends on the steps alone, not on how they are divided into batches.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { TransactionFacts } from '../../facts/index.ts'
import {
  type AccountKey,
  type Database,
  type KnownToken,
  readKnownTokens,
  readTransactionsOf,
} from '../../store/index.ts'
import type { ChainStep } from '../chain/chainStep.ts'
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
  async of(steps: readonly ChainStep[], looked: readonly Looked[]): Promise<TokenTransactions> {
    const facts = steps.map(({ master, shards }) => [master, ...shards].flatMap((block) => block.facts.transactions))
    const parts = steps.map(({ master }, i) => stepOf(facts[i] ?? [], looked[i] ?? new Map(), master.id.seqno))
    const walk = new TokenWalk(await this.#statesBefore(parts, facts.flat()))
    for (const part of parts) walk.step(part)
    const old = walk.late.length === 0 ? [] : await this.#old(walk.late)
    for (const [name, state] of walk.states)
      if (state.token !== null || state.countedTo > 0n) this.#states.set(name, state)
      else this.#states.delete(name)
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
    facts: readonly TransactionFacts[],
  ): Promise<Map<string, TokenState>> {
    const states = new Map<string, TokenState>()
    const unknown = new Map<BinaryHash, AccountKey>()
    const isNew = newAccounts(facts)
    const need = (name: string, account: AccountKey): void => {
      if (states.has(name)) return
      const known = this.#states.get(name)
      if (known !== undefined) states.set(name, known)
      else if (!isNew.has(hashFromBytes(account))) unknown.set(hashFromBytes(account), account)
    }
    for (const { requests, tokens } of parts) {
      for (const request of requests) need(nameOfRequest(request), request.account)
      for (const [name, token] of tokens) need(name, token.account)
    }
    if (unknown.size > 0)
      for (const token of await this.#database.transaction((sql) => readKnownTokens(sql, [...unknown.values()]))) {
        const name = nameOfToken(token)
        if (!states.has(name)) states.set(name, { token, countedTo: 0n })
      }
    // Contracts that may have stopped being tokens without a request.
    for (const { examined } of parts)
      for (const name of examined) {
        const known = states.has(name) ? undefined : this.#states.get(name)
        if (known !== undefined) states.set(name, known)
      }
    return states
  }

  async #old(late: readonly LateToken[]): Promise<TokenTransaction[]> {
    const accounts = late.map(({ token: { account }, countedTo }) => ({ account, after: countedTo }))
    const transactions = await this.#database.transaction((sql) =>
      readTransactionsOf(sql, { accounts, opcodes: TOKEN_OPS, most: MOST_OLD }),
    )
    const tokens = new Map(late.map((one) => [nameOfToken(one.token), one]))
    return transactions.flatMap((transaction) => {
      const found = tokens.get(nameOfRequest(transaction))
      return found === undefined ? [] : [{ transaction, token: found.token, lateMcSeqno: found.mcSeqno }]
    })
  }
}

/** Accounts that were not active before these transactions: the store has no token there. */
function newAccounts(facts: readonly TransactionFacts[]): ReadonlySet<BinaryHash> {
  const first = new Map<BinaryHash, TransactionFacts>()
  for (const one of facts) {
    const key = hashFromBytes(one.account)
    const before = first.get(key)
    if (before === undefined || one.lt < before.lt) first.set(key, one)
  }
  return new Set([...first].flatMap(([key, { origStatus }]) => (origStatus === 'active' ? [] : [key])))
}

function stepOf(facts: readonly TransactionFacts[], looked: Looked, mcSeqno: number): StepOfTokens {
  const births = new Map<BinaryHash, bigint>()
  for (const one of facts) {
    const key = hashFromBytes(one.account)
    if (isBirth(one) && one.lt > (births.get(key) ?? -1n)) births.set(key, one.lt)
  }
  const tokens = new Map<string, KnownToken>()
  for (const { jettonWallets: wallet, nftItems: item } of looked.values()) {
    if (wallet !== undefined) add(tokens, { account: wallet.account, kind: 'jettonWallet', of: wallet.jetton })
    if (item !== undefined) add(tokens, { account: item.account, kind: 'nftItem', of: item.collection })
  }
  const requests = facts.flatMap((one) => requestOf(one) ?? [])
  return { births, tokens, requests, examined: [...looked.keys()].flatMap(possibleTokens), mcSeqno }
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
