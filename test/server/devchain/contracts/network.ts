// Accounts that send each other messages in a real TVM, until none has anything more to say. No blocks, no shards: every
// message is delivered at once, in the order it was sent.

import {
  type AccountState,
  Address,
  beginCell,
  Cell,
  type ContractProvider,
  external,
  loadShardAccount,
  loadTransaction,
  type Message,
  parseTuple,
  serializeTuple,
  storeMessage,
  type Transaction,
  type TupleItem,
  TupleReader,
} from '@ton/core'
import type { Cell as OwnCell } from '../../../../server/cell/index.ts'
import type { Deployment } from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { crc16 } from '../../../../shared/address.ts'
import { noAccount, shardAccount } from '../../tvm/contracts.ts'
import { core, genesisTime } from '../actor.ts'

export const coin = 1_000_000_000n

/** One transaction of a flow. */
export interface Event {
  readonly on: string
  /** Operation of the message, 0 without one, `bounced` when it came back. */
  readonly op: number | 'bounced'
  /** Exit code, or the code of the actions; null for success, and where there is no contract. */
  readonly failure: number | null
  readonly transaction: Transaction
}

interface Sending {
  readonly from: AccountId
  readonly to: AccountId | Deployment
  readonly value?: bigint
  readonly body?: OwnCell | Cell
  readonly bounce?: boolean
}

function failureOf({ description }: Transaction): number | null {
  if (description.type !== 'generic' || description.computePhase.type !== 'vm') return null
  const { success, exitCode } = description.computePhase
  if (!success) return exitCode
  return description.actionPhase?.success === false ? description.actionPhase.resultCode : null
}

export const coreAddress = ({ workchain, hash }: AccountId): Address => new Address(workchain, Buffer.from(hash))
export const ownAddress = (address: Address): AccountId => ({
  workchain: address.workChain,
  hash: new Uint8Array(address.hash),
})
export const raw = (account: AccountId): string => coreAddress(account).toRawString()
/** An account with this byte all over the account id. */
export const person = (byte: number, workchain = 0): AccountId => ({
  workchain,
  hash: new Uint8Array(32).fill(byte),
})
const asCore = (cell: OwnCell | Cell): Cell => (cell instanceof Cell ? cell : core(cell))

export class Network {
  now = genesisTime
  readonly #executor: Emulator
  readonly #accounts = new Map<string, string>()
  #lt = 1_000_000n

  constructor(executor: Emulator) {
    this.#executor = executor
  }

  /** A deployed contract with TON, as a fixture. */
  place({ address, code, data }: Deployment, balance = coin): void {
    const account = shardAccount({
      address: coreAddress(address),
      code: core(code),
      data: core(data),
      balance,
      lastPaid: this.now,
    })
    this.#accounts.set(raw(address), account.toBoc().toString('base64'))
  }

  /** Runs a message and all that follows from it. */
  send({ from, to, value = coin, body, bounce = true }: Sending): Event[] {
    const deployed = 'address' in to ? to : null
    const address = 'address' in to ? to.address : to
    const message: Message = {
      info: {
        type: 'internal',
        ihrDisabled: true,
        bounce,
        bounced: false,
        src: coreAddress(from),
        dest: coreAddress(address),
        value: { coins: value },
        ihrFee: 0n,
        // What a wallet pays for a message of a few cells; contracts reckon with it.
        forwardFee: 400_000n,
        createdLt: this.#lt,
        createdAt: this.now,
      },
      body: body === undefined ? Cell.EMPTY : asCore(body),
      ...(deployed === null ? {} : { init: { code: core(deployed.code), data: core(deployed.data) } }),
    }
    return this.#settle(message)
  }

  /** A message from outside, or the exit code it was refused with. */
  external(to: AccountId, body: OwnCell | Cell): Event[] | { readonly refused: number | null } {
    const message = external({ to: coreAddress(to), body: asCore(body) })
    const result = this.#run(message)
    return 'refused' in result ? result : [result, ...this.#follow(result)]
  }

  #settle(message: Message): Event[] {
    const result = this.#run(message)
    if ('refused' in result) throw new Error('An internal message is never refused')
    return [result, ...this.#follow(result)]
  }

  #follow(first: Event): Event[] {
    const events: Event[] = []
    const queue = [...first.transaction.outMessages.values()]
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      if (message.info.type !== 'internal') continue
      const event = this.#run(message)
      if ('refused' in event) throw new Error('An internal message is never refused')
      events.push(event)
      queue.push(...event.transaction.outMessages.values())
    }
    return events
  }

  #run(message: Message): Event | { readonly refused: number | null } {
    const { dest } = message.info
    if (!Address.isAddress(dest)) throw new Error('Nowhere to go')
    const on = dest.toRawString()
    this.#lt += 1_000_000n
    const result = this.#executor.transaction({
      shardAccount: this.#accounts.get(on) ?? noAccount.toBoc(),
      message: beginCell()
        .store(storeMessage(message, { forceRef: true }))
        .endCell()
        .toBoc(),
      lt: this.#lt,
      now: this.now,
    })
    if (!result.accepted) return { refused: result.exitCode }
    this.#accounts.set(on, result.shardAccount)
    const transaction = loadTransaction(Cell.fromBase64(result.transaction).beginParse())
    const body = message.body.beginParse()
    const isBounced = message.info.type === 'internal' && message.info.bounced
    const op = isBounced ? 'bounced' : body.remainingBits < 32 ? 0 : body.loadUint(32)
    return { on, op, failure: failureOf(transaction), transaction }
  }

  #account(address: AccountId) {
    const account = this.#accounts.get(raw(address))
    return account === undefined ? null : loadShardAccount(Cell.fromBase64(account).beginParse()).account
  }

  balance(address: AccountId): bigint {
    return this.#account(address)?.storage.balance.coins ?? 0n
  }

  state(address: AccountId): (AccountState & { type: 'active' }) | null {
    const state = this.#account(address)?.storage.state
    return state?.type === 'active' ? state : null
  }

  get(address: AccountId, method: string, args: TupleItem[] = []): TupleReader {
    const state = this.state(address)?.state
    const result = this.#executor.runGetMethod({
      code: (state?.code ?? Cell.EMPTY).toBoc(),
      data: (state?.data ?? Cell.EMPTY).toBoc(),
      stack: serializeTuple(args).toBoc(),
      methodId: crc16(Buffer.from(method)) | 0x10000,
      address: raw(address),
      balance: this.balance(address),
      now: this.now,
    })
    if (!result.success) throw new Error(`${method} ended with ${result.exitCode}`)
    return new TupleReader(parseTuple(Cell.fromBase64(result.stack)))
  }

  /** What the public wrappers want instead of a client. */
  provider(address: AccountId): ContractProvider {
    const absent = () => {
      throw new Error('Not in this test')
    }
    return {
      getState: async () => ({
        balance: this.balance(address),
        extracurrency: null,
        last: null,
        state: {
          type: 'active',
          code: this.state(address)?.state.code?.toBoc() ?? null,
          data: this.state(address)?.state.data?.toBoc() ?? null,
        },
      }),
      get: async (name, args) => ({ stack: this.get(address, String(name), args) }),
      external: absent,
      internal: absent,
      open: absent,
      getTransactions: absent,
    }
  }
}

export const int = (value: bigint | number): TupleItem => ({ type: 'int', value: BigInt(value) })
export const slice = (cell: Cell): TupleItem => ({ type: 'slice', cell })
export const addressItem = (account: AccountId): TupleItem =>
  slice(beginCell().storeAddress(coreAddress(account)).endCell())

/** Operations in the order they were processed, failed ones by the code they failed with. */
export const stepsOf = (events: readonly Event[]): (string | number)[] =>
  events.map(({ op, failure }) =>
    failure !== null ? `failed ${failure}` : op === 'bounced' ? op : `0x${op.toString(16)}`,
  )

/** The body of the first delivered message with this operation, after operation and query id. */
export function bodyOf(events: readonly Event[], op: number) {
  const found = events.find((event) => event.op === op)
  const body = found?.transaction.inMessage?.body.beginParse()
  if (body === undefined) throw new Error(`No contract received 0x${op.toString(16)}`)
  return { queryId: body.skip(32).loadUintBig(64), body, to: found?.on }
}

/** Nanotons that came with the first message of this operation. */
export function carried(events: readonly Event[], op: number): bigint {
  const info = events.find((event) => event.op === op)?.transaction.inMessage?.info
  return info?.type === 'internal' ? info.value.coins : 0n
}
