// Lite servers with faults: the embedded chain's own one, as seen through a connection that lags, hangs, refuses or ends.

import {
  type BlockIdExt,
  LiteError,
  type LiteOptions,
  type LiteServer,
  MASTERCHAIN,
} from '../../../../server/node/index.ts'
import {
  createServerPool,
  type LiteConnection,
  type ServerAddress,
  type ServerPool,
  type ServerPoolOptions,
} from '../../../../server/node/pool/index.ts'
import type { LiteScene } from '../../devchain/lite/liteScene.ts'
import type { VirtualClock } from './virtualClock.ts'

type AnyVerb = (...args: readonly unknown[]) => Promise<unknown>

const isBlockId = (value: unknown): value is BlockIdExt =>
  typeof value === 'object' && value !== null && 'rootHash' in value && 'seqno' in value && 'workchain' in value

const isOptions = (value: unknown): value is LiteOptions =>
  typeof value === 'object' && value !== null && ('signal' in value || 'timeoutMs' in value || 'waitSeqno' in value)

export type Fault = (verb: string, args: readonly unknown[], honest: () => Promise<unknown>) => Promise<unknown>

export class WrappedServer {
  readonly address: ServerAddress
  /** Calls by verb; waits for the next block are not counted. */
  readonly calls = new Map<string, number>()
  readonly running = new Set<string>()
  head: number
  latencyMs = 50
  isUp = true
  fault: Fault | null = null
  connections = 0
  #closers = new Set<(reason: Error) => void>()
  readonly #scene: LiteScene
  readonly #clock: VirtualClock
  readonly #server: LiteServer

  constructor(name: string, scene: LiteScene, clock: VirtualClock, server: LiteServer = scene.lite) {
    this.address = { name, host: name, port: 1, key: new Uint8Array(32), slices: null }
    this.#scene = scene
    this.#clock = clock
    this.#server = server
    this.head = scene.blocks(MASTERCHAIN).length
  }

  get total(): number {
    return [...this.calls.values()].reduce((sum, count) => sum + count, 0)
  }

  goDown(): void {
    this.isUp = false
    for (const close of this.#closers) close(new Error('connection reset'))
    this.#closers.clear()
  }

  async connect(): Promise<LiteConnection> {
    if (!this.isUp) throw new Error('connection refused')
    this.connections++
    const closers = this.#closers
    let isOpen = true
    const ended = new Promise<never>((_, reject) => {
      closers.add((reason) => {
        isOpen = false
        reject(new LiteError('cancelled', reason.message))
      })
    })
    ended.catch(() => undefined)
    const ask = (verb: string, verbOf: AnyVerb, args: readonly unknown[]) =>
      isOpen
        ? Promise.race([this.#answer(verb, verbOf, args), ended])
        : Promise.reject(new LiteError('cancelled', 'closed'))
    return new Proxy(this.#server, {
      get(target, name) {
        if (name === 'kind') return 'remote'
        if (name === 'then' || name === 'blockRoot') return undefined
        if (name === 'close') return () => undefined
        if (name === 'onClose') return (listener: (reason: Error) => void) => closers.add(listener)
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: readonly unknown[]) => ask(String(name), (value as AnyVerb).bind(target), args)
      },
    }) as LiteConnection
  }

  async #answer(verb: string, verbOf: AnyVerb, args: readonly unknown[]): Promise<unknown> {
    const options = args.find(isOptions)
    const isWait = verb === 'masterchainInfo' && options?.waitSeqno !== undefined
    if (!isWait) this.calls.set(verb, (this.calls.get(verb) ?? 0) + 1)
    await this.#clock.sleep(this.latencyMs, options?.signal)
    await this.#reach(options)
    const honest = () => this.#clock.during(verbOf(...args.map((arg) => (isOptions(arg) ? {} : arg))))
    const answer =
      this.fault === null
        ? await this.#seen(verb, args, honest)
        : await this.fault(verb, args, () => this.#seen(verb, args, honest))
    return answer
  }

  async #reach(options: LiteOptions | undefined): Promise<void> {
    const { waitSeqno, signal } = options ?? {}
    const end = this.#clock.now() + 10_000
    while (waitSeqno !== undefined && this.head < waitSeqno) {
      if (signal?.aborted === true) throw new LiteError('cancelled', 'given up')
      if (this.#clock.now() >= end) throw new LiteError('timeout', 'timeout')
      await this.#clock.sleep(100, signal)
    }
  }

  /** The chain up to this server's head. */
  async #seen(verb: string, args: readonly unknown[], honest: () => Promise<unknown>): Promise<unknown> {
    const beyond = args.find((arg) => isBlockId(arg) && arg.workchain === MASTERCHAIN && arg.seqno > this.head)
    if (beyond !== undefined) throw new LiteError('notReady', 'block is not in db')
    const answer = await honest()
    if (verb !== 'masterchainInfo') return answer
    return { ...(answer as object), last: this.#scene.blocks(MASTERCHAIN)[this.head - 1] }
  }
}

/** What a pool writes to its log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly facts: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface WrappedPool {
  readonly pool: ServerPool
  readonly lines: readonly LogLine[]
}

export async function poolOf(
  clock: VirtualClock,
  servers: readonly WrappedServer[],
  options: Partial<ServerPoolOptions> = {},
): Promise<WrappedPool> {
  const lines: LogLine[] = []
  const line = (level: LogLine['level']) => (facts: object, text: string) =>
    lines.push({ level, facts: { ...facts }, text })
  const pool = createServerPool({
    servers: servers.map(({ address }) => address),
    connect: async ({ name }) => {
      const server = servers.find(({ address }) => address.name === name)
      if (server === undefined) throw new Error('no such server')
      return await server.connect()
    },
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    clock,
    random: () => clock.random(),
    ...options,
  })
  await clock.sleep(1_000)
  return { pool, lines }
}

export const hang: Fault = () => new Promise(() => undefined)
export const refuse =
  (code: number, text: string): Fault =>
  (verb, _args, honest) =>
    verb === 'masterchainInfo' ? honest() : Promise.reject(new LiteError(code, text))
