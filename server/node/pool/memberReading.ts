// A server of the pool as one call sees it.

import type { MasterchainInfo } from '../liteAnswers.ts'
import type { LiteOptions, LiteServer } from '../liteServer.ts'
import { ReadingVerbs, type RunVerb } from './verbs.ts'

interface OwnVerbs {
  readonly name: string
  readonly info: LiteServer['masterchainInfo']
  readonly send: LiteServer['send']
}

export class MemberReading extends ReadingVerbs implements LiteServer {
  readonly kind = 'remote'
  readonly name: string
  readonly #own: OwnVerbs

  constructor(run: RunVerb, own: OwnVerbs) {
    super(run)
    this.name = own.name
    this.#own = own
  }

  override masterchainInfo(options?: LiteOptions): Promise<MasterchainInfo> {
    return this.#own.info(options)
  }

  send(message: Uint8Array, options?: LiteOptions): Promise<void> {
    return this.#own.send(message, options)
  }

  onHead(): () => void {
    return () => undefined
  }
}
