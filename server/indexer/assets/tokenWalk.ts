// Decides, step by step, which requests to contracts count as transactions of tokens.
//
// A request counts when its account is a token before or after its step. Other requests wait until the account is detected as
// a token, as what confirms it may come later. A request does not count any more once the account is deployed anew.

import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { TransactionFacts } from '../../facts/index.ts'
import { addToGroup, type KnownToken, type OldTransaction } from '../../store/index.ts'
import { kindOfOp } from './eventRows.ts'

/** Without the id of its trace, which is known last. */
export type TokenRequest = Omit<OldTransaction, 'traceId'>

export interface TokenState {
  /** Null for a contract that is no token now. */
  readonly token: KnownToken | null
  /** The lt up to which all requests count. */
  readonly countedTo: bigint
}

export interface StepOfTokens {
  readonly requests: readonly TokenRequest[]
  /** By account, the lt of the transaction that deployed it. */
  readonly births: ReadonlyMap<BinaryHash, bigint>
  /** By name, what contracts are after the step. */
  readonly tokens: ReadonlyMap<string, KnownToken>
  /** Names of all contracts that were examined, tokens or not. */
  readonly examined: readonly string[]
  readonly mcSeqno: number
}

/** A token whose earlier requests in the store count from now on. */
export interface LateToken {
  readonly token: KnownToken
  readonly countedTo: bigint
  /** The step that made it a token. */
  readonly mcSeqno: number
}

interface CountedRequest {
  readonly request: TokenRequest
  readonly token: KnownToken
  /** The step that made it count; null for its own. */
  readonly lateMcSeqno: number | null
}

/** Requests, or names, after which others may be served. */
const PIECE = 200

const KINDS: readonly KnownToken['kind'][] = ['jettonWallet', 'nftItem']

export const possibleTokens = (account: BinaryHash): string[] => KINDS.map((kind) => kind + account)

export const nameOfToken = ({ kind, account }: Pick<KnownToken, 'kind' | 'account'>): string =>
  kind + hashFromBytes(account)

/** The token that the request would be for. */
export const nameOfRequest = ({ account, opcode }: Pick<TokenRequest, 'account' | 'opcode'>): string =>
  nameOfToken({ kind: kindOfOp(opcode), account })

export const isBirth = ({ origStatus, endStatus }: Pick<TransactionFacts, 'origStatus' | 'endStatus'>): boolean =>
  origStatus !== 'active' && endStatus === 'active'

export class TokenWalk {
  /** By name, as of the last step. */
  readonly states: Map<string, TokenState>
  readonly counted: CountedRequest[] = []
  readonly late: LateToken[] = []
  readonly #waiting = new Map<string, TokenRequest[]>()
  /** Names whose earlier requests in the store were counted, or cannot count any more. */
  readonly #settled = new Set<string>()

  constructor(before: Map<string, TokenState>) {
    this.states = before
    for (const [name, { token }] of before) if (token !== null) this.#settled.add(name)
  }

  /** Steps come in their order, each taken to its end. */
  *taking({ requests, births, tokens, examined, mcSeqno }: StepOfTokens): Generator<void, void> {
    for (const account of births.keys())
      for (const name of possibleTokens(account)) {
        this.#waiting.delete(name)
        this.#settled.add(name)
      }
    yield
    for (const [name, token] of tokens)
      if ((this.states.get(name)?.token ?? null) === null) this.#begins(name, { token, mcSeqno })
    for (const [i, request] of requests.entries()) {
      if (i % PIECE === 0) yield
      this.#request(request, tokens, births)
    }
    for (const [i, name] of examined.entries()) {
      if (i % PIECE === 0) yield
      const token = tokens.get(name) ?? null
      const state = this.states.get(name)
      if (token !== null || state !== undefined) this.states.set(name, { token, countedTo: state?.countedTo ?? 0n })
    }
  }

  #request(request: TokenRequest, tokens: StepOfTokens['tokens'], births: StepOfTokens['births']): void {
    const name = nameOfRequest(request)
    const state = this.states.get(name)
    const token = tokens.get(name) ?? state?.token ?? null
    if (token !== null) {
      this.counted.push({ request, token, lateMcSeqno: null })
      const countedTo = state === undefined || state.countedTo < request.lt ? request.lt : state.countedTo
      this.states.set(name, { token: state?.token ?? null, countedTo })
    } else if (request.lt >= (births.get(hashFromBytes(request.account)) ?? 0n)) {
      addToGroup(this.#waiting, name, request)
    }
  }

  #begins(name: string, { token, mcSeqno }: Omit<LateToken, 'countedTo'>): void {
    for (const request of this.#waiting.get(name) ?? []) this.counted.push({ request, token, lateMcSeqno: mcSeqno })
    this.#waiting.delete(name)
    if (!this.#settled.has(name)) this.late.push({ token, mcSeqno, countedTo: this.states.get(name)?.countedTo ?? 0n })
    this.#settled.add(name)
  }
}
