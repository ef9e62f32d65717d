// The `ContractProvider` of @ton/core for one contract.

import {
  type Address,
  beginCell,
  Cell,
  ComputeError,
  type ContractProvider,
  comment,
  external,
  loadTransaction,
  openContract,
  type StateInit,
  storeMessage,
  type Transaction,
  TupleReader,
  toNano,
} from '@ton/core'
import type { Api, Client } from '../index.ts'
import { readAnswer, requireAddress, requireFrom, requireWith } from './checkedValues.ts'
import { toContractState } from './contractState.ts'
import { bocsOf, type FollowMethods } from './following.ts'
import { fromEntry, toEntry } from './stackEntries.ts'

/** What this entry calls of the client. */
export type TonMethods = Pick<
  Client,
  'getAddressInformation' | 'getAddressState' | 'getTransactionsStd' | 'runGetMethodStd' | 'sendBocReturnHashNoError'
> &
  FollowMethods

/** Calls, and the masterchain block they read at: the newest by default. */
export interface Source {
  readonly methods: TonMethods
  readonly seqno?: number | undefined
}

export interface Target {
  readonly address: Address
  readonly init: StateInit | null
}

/** Exit codes set by the TVM around a contract, and what they mean to the caller. */
const REASONS: Readonly<Record<number, string>> = {
  [-13]: 'the contract is not deployed',
  [-14]: 'out of gas',
  11: 'there is no such get-method',
}

const NEWEST_PAGE = 100

const parseTransaction = ({ data }: { readonly data: string }): Transaction =>
  loadTransaction(Cell.fromBase64(data).beginParse())

export interface From {
  readonly lt: bigint
  readonly hash: Uint8Array
}

/** Transactions of an account, newest first, from the given one on. */
export async function readTransactions(
  { methods }: Source,
  address: Address,
  { lt, hash, limit = NEWEST_PAGE }: From & { readonly limit?: number | undefined },
): Promise<Transaction[]> {
  requireAddress(address)
  requireFrom({ lt, hash })
  const start: { lt: `${bigint}`; hash: string } = { lt: `${lt}`, hash: Buffer.from(hash).toString('base64') }
  const page = await methods.getTransactionsStd({ address: address.toRawString(), limit, ...start })
  return readAnswer('getTransactionsStd', () => page.transactions.map(parseTransaction))
}

export async function isDeployed({ methods, seqno }: Source, address: Address): Promise<boolean> {
  requireAddress(address)
  const state = await methods.getAddressState({ address: address.toRawString(), seqno })
  return readAnswer('getAddressState', () => state.trim()) === 'active'
}

function toNanotons(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  try {
    if (typeof value === 'string') return toNano(value)
  } catch {
    // As any other value that is no amount.
  }
  throw new TypeError(`a value is a bigint of nanotons or a text of TON such as '1.5', not ${String(value)}`)
}

function refuseInThePast({ seqno }: Source): void {
  if (seqno !== undefined) throw new Error(`block ${seqno} is read only: send without at(${seqno})`)
}

function readRun({ exit_code: exitCode, stack, gas_used: gas }: Api['runGetMethodStd']['result']) {
  if (!Number.isInteger(exitCode)) throw new TypeError('no exit code')
  return { exitCode, stack: new TupleReader(exitCode === 0 ? stack.map(fromEntry) : []), gasUsed: BigInt(gas) }
}

/** Uses the client: calls of one tick are one request. `sent` is called with each message that was accepted. */
export function createProvider(
  source: Source,
  { address, init }: Target,
  sent: (boc: string) => void = () => {},
): ContractProvider {
  requireAddress(address)
  const { methods, seqno } = source
  const raw = address.toRawString()
  /** The StateInit a message has to carry. */
  const missingInit = async (): Promise<StateInit | null> =>
    init !== null && !(await isDeployed(source, address)) ? init : null

  return {
    async getState() {
      const account = await methods.getAddressInformation({ address: raw, seqno })
      return readAnswer('getAddressInformation', () => toContractState(account))
    },

    async get(method, args) {
      if (!Array.isArray(args)) throw new TypeError('arguments of a get-method are a list, which may be empty')
      const run = await methods.runGetMethodStd({ address: raw, method, stack: args.map(toEntry), seqno })
      const { exitCode, ...result } = readAnswer('runGetMethodStd', () => readRun(run))
      if (exitCode !== 0) {
        const reason = REASONS[exitCode]
        const code = `exit code ${exitCode}`
        throw new ComputeError(`${method} of ${address}: ${reason ? `${reason} (${code})` : code}`, exitCode)
      }
      return result
    },

    async external(body) {
      refuseInThePast(source)
      requireWith(body, 'beginParse', 'the body of a message is a Cell of @ton/core')
      const message = storeMessage(external({ to: address, init: await missingInit(), body }))
      const boc = beginCell().store(message).endCell().toBoc().toString('base64')
      await methods.sendBocReturnHashNoError({ boc })
      sent(boc)
    },

    async internal(via, args) {
      refuseInThePast(source)
      requireWith(via, 'send', 'a message is sent through a sender, as ton.sender(wallet, secretKey) returns')
      const { value, bounce, body, sendMode, extracurrency } = args ?? {}
      const sending = via.send({
        to: address,
        value: toNanotons(value),
        bounce: bounce ?? true,
        sendMode: sendMode ?? null,
        extracurrency: extracurrency ?? null,
        init: await missingInit(),
        body: typeof body === 'string' ? comment(body) : (body ?? null),
      })
      await sending
      for (const boc of bocsOf(sending)) sent(boc)
    },

    open: (contract) => openContract(contract, (target) => createProvider(source, target)),

    getTransactions: (account, lt, hash, limit) => readTransactions(source, account, { lt, hash, limit }),
  }
}
