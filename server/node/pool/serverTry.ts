// One piece of work on one server of the pool: the server as the work sees it, the calls it has made, and what came of it.

import { LeanAbort } from '../../process/index.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import type { LiteOptions, LiteServer } from '../liteServer.ts'
import type { Hedged, Hedging } from './hedging.ts'
import type { CallGroup, Pending } from './pendingCall.ts'
import type { PoolMember } from './poolMember.ts'
import { ReadingVerbs, type VerbCall, type VerbKind, type VerbWork } from './verbs.ts'

const NONE: readonly Pending[] = []

export class ServerTry<T> extends ReadingVerbs implements LiteServer, CallGroup, Hedged {
  readonly kind = 'remote'
  readonly member: PoolMember
  /** The last call that was made. */
  call: VerbCall | null = null
  calls = 0
  open = NONE
  lacking: number | null = null
  due = 0
  isListed = false
  previous: Hedged | null = null
  next: Hedged | null = null
  /** Null while it runs. */
  result: { readonly value: T } | { readonly error: unknown } | null = null
  readonly #end = new LeanAbort()
  /** Null where no second server can be called. */
  readonly #hedging: Hedging | null
  readonly #begun: number
  #firstKind: VerbKind | null = null
  #isLate = false
  /** Only its end is waited for. */
  #isAwaited = false
  #listener: (() => void) | null = null

  /** A slot of the member is reserved for its first call. */
  constructor(member: PoolMember, hedging: Hedging | null) {
    super()
    this.member = member
    this.#hedging = hedging
    this.#begun = member.timer.now()
  }

  get name(): string {
    return this.member.address.name
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  begin(work: (server: LiteServer) => Promise<T>): this {
    try {
      work(this).then(
        (value) => this.#settle({ value }),
        (error: unknown) => this.#settle({ error }),
      )
    } catch (error) {
      this.#settle({ error })
    }
    return this
  }

  /** Calls back once: when it has ended, or takes unusually long before. */
  onNews(listener: () => void): void {
    if (this.result !== null || this.#isLate) listener()
    else this.#listener = listener
  }

  /** Resolves when it has ended. From then on it is not late any more. */
  ended(): Promise<this> {
    this.#isAwaited = true
    this.#hedging?.remove(this)
    return new Promise((resolve) => {
      if (this.result !== null) resolve(this)
      else this.#listener = () => resolve(this)
    })
  }

  late(): void {
    this.#isLate = true
    this.#report()
  }

  /** Ends its calls. Work that has succeeded has none. */
  end(): void {
    this.#end.abort()
    for (const one of this.open) one.cancel()
  }

  /** The head watch knows the newest block as soon as a query could; without its answer the server is queried. */
  override async masterchainInfo(options: LiteOptions = {}): Promise<MasterchainInfo> {
    const heard = this.member.heard()
    if (heard !== null && (options.waitSeqno ?? 0) <= heard.last.seqno) return heard
    const call: VerbCall = { kind: 'head', verb: 'masterchainInfo', options, about: undefined }
    return await this.run(call, (server, own) => server.masterchainInfo(own))
  }

  send(message: Uint8Array, options?: LiteOptions): Promise<void> {
    if (this.calls > 0) this.member.take()
    this.calls++
    return this.member.send(message, { ...options, signal: this.#end.signal })
  }

  onHead(): () => void {
    return () => undefined
  }

  protected run<A>(call: VerbCall, work: VerbWork<A>): Promise<A> {
    const { kind, options } = call
    if (this.calls > 0) this.member.take()
    else {
      this.#firstKind = kind
      if (options.waitSeqno === undefined && !this.#isAwaited) this.#hedging?.begin(this, kind)
    }
    this.calls++
    this.call = call
    return this.member.run(call, this, work)
  }

  #settle(result: { readonly value: T } | { readonly error: unknown }): void {
    this.result = result
    if (this.calls === 0) this.member.giveUnused()
    if (this.#hedging !== null) {
      this.#hedging.remove(this)
      if ('value' in result && this.#firstKind !== null)
        this.#hedging.measured(this.#firstKind, this.member.timer.now() - this.#begun)
    }
    this.#report()
  }

  #report(): void {
    const listener = this.#listener
    this.#listener = null
    listener?.()
  }
}
