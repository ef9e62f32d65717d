// Which transactions are those of tokens: of steps that are being written, and, of an account that turns out to be a token
// late, of those before.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { TransactionFacts } from '../../facts/index.ts'
import {
  type AccountKey,
  type Database,
  type KnownToken,
  type OldTransaction,
  readKnownTokens,
  readTransactionsOf,
} from '../../store/index.ts'
import type { ChainStep } from '../chain/chainStep.ts'
import { upTo } from '../upTo.ts'
import type { DetectedAssets, Looked } from './detectAssets.ts'
import { kindOfOp, TOKEN_OPS, type TokenTransaction } from './eventRows.ts'

/** Without the id of its trace, which is known last. */
type Request = Omit<OldTransaction, 'traceId'>

const KEPT_TOKENS = 100_000
/** Maximum earlier transactions one batch reads for accounts that are detected as tokens late: a contract may have any number. */
const MOST_OLD = 10_000

export type TokenTransactions = (traceOf: (transaction: Uint8Array) => Uint8Array | null) => readonly TokenTransaction[]

export class TokenHistory {
  readonly #database: Pick<Database, 'transaction'>
  /** Tokens whose rows are in the store, or will be once this batch is written. */
  readonly #tokens = new LRUCache<BinaryHash, true>(upTo(KEPT_TOKENS))

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database
  }

  forget(): void {
    this.#tokens.clear()
  }

  /** Transactions of tokens in these steps; `looked` is what was detected in each step. */
  async of(steps: readonly ChainStep[], looked: readonly Looked[]): Promise<TokenTransactions> {
    const found = tokensIn(looked)
    const facts = steps.map(({ master, shards }) => [master, ...shards].flatMap((block) => block.facts.transactions))
    const requests = facts.map((all) => all.flatMap((one) => requestOf(one) ?? []))
    const stored = await this.#stored(found, facts.flat(), requests.flat())
    const late = found.filter((token) => this.#isLate(token, stored))
    const old = late.length === 0 ? [] : await this.#old(late)
    for (const { account } of found) this.#tokens.set(hashFromBytes(account), true)
    const ever = byName([...found, ...stored])
    const tokens = requests.flatMap((all, step) => {
      const now = byName([...(looked[step]?.values() ?? [])].flatMap(tokensOfFound))
      return all.flatMap((request) => {
        const token = now.get(wanted(request)) ?? ever.get(wanted(request))
        return token === undefined ? [] : [{ request, token }]
      })
    })
    return (traceOf) => [
      ...old,
      ...tokens.flatMap(({ request, token }) => {
        const traceId = traceOf(request.hash)
        return traceId === null ? [] : [{ token, transaction: { traceId, ...request } }]
      }),
    ]
  }

  /** Tokens that the store has, and this batch has not detected, or has detected later. */
  async #stored(
    found: readonly KnownToken[],
    facts: readonly TransactionFacts[],
    requests: readonly Request[],
  ): Promise<readonly KnownToken[]> {
    const isFound = new Set(found.map(nameOf))
    const isNew = new Set(
      facts.filter(({ origStatus, endStatus }) => origStatus !== 'active' && endStatus === 'active').map(nameOf),
    )
    const unknown = new Map<BinaryHash, AccountKey>()
    for (const one of requests) if (!isFound.has(nameOf(one))) unknown.set(nameOf(one), one.account)
    for (const one of found)
      if (isNew.has(nameOf(one))) this.#tokens.set(nameOf(one), true)
      else if (!this.#tokens.has(nameOf(one))) unknown.set(nameOf(one), one.account)
    if (unknown.size === 0) return []
    return await this.#database.transaction((sql) => readKnownTokens(sql, [...unknown.values()]))
  }

  #isLate(token: KnownToken, stored: readonly KnownToken[]): boolean {
    const name = nameOf(token)
    return !this.#tokens.has(name) && !stored.some((one) => nameOf(one) === name)
  }

  async #old(late: readonly KnownToken[]): Promise<TokenTransaction[]> {
    const accounts = late.map(({ account }) => account)
    const transactions = await this.#database.transaction((sql) =>
      readTransactionsOf(sql, { accounts, opcodes: TOKEN_OPS, most: MOST_OLD }),
    )
    const tokens = byName(late)
    return transactions.flatMap((transaction) => {
      const token = tokens.get(wanted(transaction))
      return token === undefined ? [] : [{ transaction, token }]
    })
  }
}

const nameOf = ({ account }: { readonly account: AccountKey }): BinaryHash => hashFromBytes(account)

function tokensOfFound({ jettonWallets: wallet, nftItems: item }: DetectedAssets): KnownToken[] {
  const tokens: KnownToken[] = []
  if (wallet !== undefined) tokens.push({ account: wallet.account, kind: 'jettonWallet', of: wallet.jetton })
  if (item !== undefined) tokens.push({ account: item.account, kind: 'nftItem', of: item.collection })
  return tokens
}

const tokensIn = (looked: readonly Looked[]): KnownToken[] =>
  looked.flatMap((one) => [...one.values()].flatMap(tokensOfFound))

/** The first of each kind and account. */
const byName = (tokens: readonly KnownToken[]): ReadonlyMap<string, KnownToken> =>
  new Map([...tokens].reverse().map((token) => [token.kind + nameOf(token), token]))

/** The key, in the map above, of the token that the request would be for. */
const wanted = (request: Pick<OldTransaction, 'account' | 'opcode'>): string =>
  kindOfOp(request.opcode) + nameOf(request)

/** Null when the account is not a known token contract (yet). */
function requestOf(facts: TransactionFacts): Request | null {
  const { origStatus, endStatus, inMessage } = facts
  if (origStatus !== 'active' && endStatus !== 'active') return null
  if (inMessage?.kind !== 'internal' || inMessage.source === null || inMessage.opcode === null) return null
  const { source, opcode, body } = inMessage
  const { hash, account, lt, now, description } = facts
  return TOKEN_OPS.includes(opcode) ? { hash, account, lt, now, description, source, opcode, body } : null
}
