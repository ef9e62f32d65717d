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
import type { Client } from '../index.ts'
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
  const start: { lt: `${bigint}`; hash: string } = { lt: `${lt}`, hash: Buffer.from(hash).toString('base64') }
  const page = await methods.getTransactionsStd({ address: address.toRawString(), limit, ...start })
  return page.transactions.map(parseTransaction)
}

export const isDeployed = async ({ methods, seqno }: Source, address: Address): Promise<boolean> =>
  (await methods.getAddressState({ address: address.toRawString(), seqno })) === 'active'

function refuseInThePast({ seqno }: Source): void {
  if (seqno !== undefined) throw new Error(`block ${seqno} is read only: send without at(${seqno})`)
}

/** Uses the client: calls of one tick are one request. `sent` is called with each message that was accepted. */
export function createProvider(
  source: Source,
  { address, init }: Target,
  sent: (boc: string) => void = () => {},
): ContractProvider {
  const { methods, seqno } = source
  const raw = address.toRawString()
  /** The StateInit a message has to carry. */
  const missingInit = async (): Promise<StateInit | null> =>
    init !== null && !(await isDeployed(source, address)) ? init : null

  return {
    getState: async () => toContractState(await methods.getAddressInformation({ address: raw, seqno })),

    async get(method, args) {
      const run = await methods.runGetMethodStd({ address: raw, method, stack: args.map(toEntry), seqno })
      if (run.exit_code !== 0) {
        const reason = REASONS[run.exit_code]
        const code = `exit code ${run.exit_code}`
        throw new ComputeError(`${method} of ${address}: ${reason ? `${reason} (${code})` : code}`, run.exit_code)
      }
      return { stack: new TupleReader(run.stack.map(fromEntry)), gasUsed: BigInt(run.gas_used) }
    },

    async external(body) {
      refuseInThePast(source)
      const message = storeMessage(external({ to: address, init: await missingInit(), body }))
      const boc = beginCell().store(message).endCell().toBoc().toString('base64')
      await methods.sendBocReturnHashNoError({ boc })
      sent(boc)
    },

    async internal(via, { value, bounce, body, sendMode, extracurrency }) {
      refuseInThePast(source)
      const sending = via.send({
        to: address,
        value: typeof value === 'string' ? toNano(value) : value,
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
