// One account in a real TVM under the configuration of genesis: what reaches it, and what comes of it.

import {
  type Account,
  type AccountState,
  Address,
  beginCell,
  Cell,
  type ContractProvider,
  external,
  loadShardAccount,
  loadTransaction,
  parseTuple,
  serializeTuple,
  storeMessage,
  type Transaction,
  type TupleItem,
  TupleReader,
} from '@ton/core'
import { type Cell as OwnCell, writeBoc } from '../../../server/cell/index.ts'
import { createGenesisConfig, type GenesisConfigOptions } from '../../../server/devchain/config/index.ts'
import { CONFIG_ACCOUNT, ELECTOR_ACCOUNT } from '../../../server/devchain/contracts/index.ts'
import { createConfig, createExecutor, type Emulator } from '../../../server/tvm/index.ts'
import { crc16 } from '../../../shared/address.ts'
import { fromCore, toCore } from '../../setup/tonCore.ts'
import { internal, shardAccount } from '../tvm/contracts.ts'

export const genesisTime = 1_760_000_000
export const globalId = -217

export const genesisOptions: GenesisConfigOptions = {
  globalId,
  validators: [{ publicKey: new Uint8Array(32).fill(7), adnlAddress: new Uint8Array(32) }],
  utime: genesisTime,
  basechain: { rootHash: new Uint8Array(32).fill(1), fileHash: new Uint8Array(32).fill(2) },
  configAccount: CONFIG_ACCOUNT,
  electorAccount: ELECTOR_ACCOUNT,
}

/** The root of the configuration dictionary. */
export function genesisRoot(overrides: GenesisConfigOptions['overrides'] = new Map()): OwnCell {
  const { root } = createGenesisConfig({ ...genesisOptions, overrides })
  if (root === null) throw new Error('A configuration is never empty')
  return root
}

export const core = (cell: OwnCell): Cell => toCore(cell)
export const own = (cell: Cell): OwnCell => fromCore(cell)
export const systemAddress = (hash: Uint8Array): Address => new Address(-1, Buffer.from(hash))

/** An executor that has begun a block at the time of genesis. */
export async function startTvm(config: OwnCell = genesisRoot()): Promise<Emulator> {
  const executor = await createExecutor()
  executor.setConfig(createConfig(writeBoc(config)))
  executor.beginBlock({ now: genesisTime, randSeed: new Uint8Array(32).fill(3) })
  return executor
}

interface ActorParts {
  readonly address: Address
  readonly code: OwnCell
  readonly data: OwnCell
  readonly balance?: bigint
  readonly tickTock?: boolean
}

/** A computed transaction, or the exit code of a message that was refused. */
export type Outcome =
  | { readonly refused: number | null }
  | { readonly refused: false; readonly transaction: Transaction }

export class Actor {
  readonly address: Address
  now = genesisTime
  readonly #executor: Emulator
  #account: string
  #loaded: { readonly text: string; readonly account: Account | null } | null = null
  #lt = 1_000_000n

  constructor(
    executor: Emulator,
    { address, code, data, balance = 100_000_000_000_000n, tickTock = false }: ActorParts,
  ) {
    const account = shardAccount({ address, code: core(code), data: core(data), balance, tickTock })
    this.#executor = executor
    this.address = address
    this.#account = account.toBoc().toString('base64')
  }

  /** Parsed once for each text: tests look at it several times between messages. */
  #read(): Account | null {
    const text = this.#account
    if (this.#loaded?.text !== text) {
      const { account } = loadShardAccount(Cell.fromBase64(text).beginParse())
      this.#loaded = { text, account: account ?? null }
    }
    return this.#loaded?.account ?? null
  }

  get state(): AccountState & { type: 'active' } {
    const state = this.#read()?.storage.state
    if (state?.type !== 'active') throw new Error('The account is not active')
    return state
  }

  get data(): Cell {
    return this.state.state.data ?? Cell.EMPTY
  }

  get balance(): bigint {
    return this.#read()?.storage.balance.coins ?? 0n
  }

  /** Replaces the data, as a fixture. */
  setData(data: Cell): void {
    const { code } = this.state.state
    const { address, balance } = this
    this.#account = shardAccount({ address, code: code ?? Cell.EMPTY, data, balance, tickTock: true })
      .toBoc()
      .toString('base64')
  }

  message(message: Cell | OwnCell): Outcome {
    const boc = message instanceof Cell ? message.toBoc() : writeBoc(message)
    return this.#settle(
      this.#executor.transaction({ shardAccount: this.#account, message: boc, lt: this.#nextLt(), now: this.now }),
    )
  }

  external(body: Cell): Outcome {
    return this.message(
      beginCell()
        .store(storeMessage(external({ to: this.address, body })))
        .endCell(),
    )
  }

  /** An internal message that must be processed. */
  receive(parts: { from: Address; value?: bigint; body?: Cell; bounce?: boolean }): Transaction {
    return computed(this.message(internal({ to: this.address, ...parts })))
  }

  special(which: 'tick' | 'tock'): Transaction {
    const run = { shardAccount: this.#account, which, lt: this.#nextLt(), now: this.now }
    return computed(this.#settle(this.#executor.tickTock(run)))
  }

  get(method: string, args: TupleItem[] = []): TupleReader {
    const { code, data } = this.state.state
    const result = this.#executor.runGetMethod({
      code: (code ?? Cell.EMPTY).toBoc(),
      data: (data ?? Cell.EMPTY).toBoc(),
      stack: serializeTuple(args).toBoc(),
      methodId: crc16(Buffer.from(method)) | 0x10000,
      address: this.address.toRawString(),
      balance: this.balance,
      now: this.now,
    })
    if (!result.success) throw new Error(`${method} ended with ${result.exitCode}`)
    return new TupleReader(parseTuple(Cell.fromBase64(result.stack)))
  }

  /** What the public wrappers want instead of a client. */
  provider(): ContractProvider {
    const absent = () => {
      throw new Error('Not in this test')
    }
    return {
      getState: async () => ({
        balance: this.balance,
        extracurrency: null,
        last: null,
        state: { type: 'active', code: this.state.state.code?.toBoc() ?? null, data: this.data.toBoc() },
      }),
      get: async (name, args) => ({ stack: this.get(String(name), args) }),
      external: async (body) => {
        const outcome = this.external(body)
        if (outcome.refused !== false) throw new Error(`Refused with ${outcome.refused}`)
        this.last = outcome.transaction
      },
      internal: absent,
      open: absent,
      getTransactions: absent,
    }
  }

  /** What the provider's latest external message led to. */
  last: Transaction | undefined

  #nextLt(): bigint {
    this.#lt += 1_000_000n
    return this.#lt
  }

  #settle(result: ReturnType<Emulator['transaction']>): Outcome {
    if (!result.accepted) return { refused: result.exitCode }
    this.#account = result.shardAccount
    return { refused: false, transaction: loadTransaction(Cell.fromBase64(result.transaction).beginParse()) }
  }
}

export function computed(outcome: Outcome): Transaction {
  if (outcome.refused !== false) throw new Error(`The message was refused with ${outcome.refused}`)
  return outcome.transaction
}

/** Exit code of a transaction's compute phase. */
export function exitCode({ description }: Transaction): number | null {
  if (description.type !== 'generic' && description.type !== 'tick-tock') return null
  return description.computePhase.type === 'vm' ? description.computePhase.exitCode : null
}

/** Values and bodies of what a transaction sends inside the network. */
export function sent(transaction: Transaction): { to: string; value: bigint; body: Cell; bounce: boolean }[] {
  return transaction.outMessages
    .values()
    .flatMap(({ info, body }) =>
      info.type === 'internal'
        ? [{ to: info.dest.toRawString(), value: info.value.coins, body, bounce: info.bounce }]
        : [],
    )
}
