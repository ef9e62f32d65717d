// What is true on a chain, as its contracts say it: get-methods on the newest states, and the transactions that failed.

import { Address, beginCell, Cell, parseTuple, serializeTuple, type TupleItem, TupleReader } from '@ton/core'
import { openCell, writeBoc } from '../../../server/cell/index.ts'
import { BASECHAIN, type Devchain, MASTERCHAIN } from '../../../server/devchain/index.ts'
import { parseBlock, type TransactionFacts } from '../../../server/facts/index.ts'
import type { AccountId } from '../../../server/node/index.ts'
import { type Account, loadAccount } from '../../../server/tlb/index.ts'
import { createConfig, createExecutor, type Emulator } from '../../../server/tvm/index.ts'
import { crc16 } from '../../../shared/address.ts'
import { toCore } from '../../setup/tonCore.ts'

const coreAddress = ({ workchain, hash }: AccountId): Address => new Address(workchain, Buffer.from(hash))
export const raw = (account: AccountId): string => coreAddress(account).toRawString()

export const int = (value: bigint | number): TupleItem => ({ type: 'int', value: BigInt(value) })
export const slice = (cell: Cell): TupleItem => ({ type: 'slice', cell })
export const addressItem = (account: AccountId): TupleItem =>
  slice(beginCell().storeAddress(coreAddress(account)).endCell())

export interface ChainFacts {
  account(address: AccountId): Account | null
  balance(address: AccountId): bigint
  get(address: AccountId, method: string, args?: TupleItem[]): TupleReader
}

/** Reads the newest states of a chain. */
export async function readChain(chain: Devchain): Promise<ChainFacts> {
  const executor: Emulator = await createExecutor()
  const config = chain.reader.moment().master.extra.config.params.root
  if (config === null) throw new Error('A chain without a configuration')
  executor.setConfig(createConfig(writeBoc(config)))

  const account = ({ workchain, hash }: AccountId): Account | null => {
    const { master, shard } = chain.reader.moment()
    const found = (workchain === MASTERCHAIN ? master : shard).accounts.get(hash)
    return found === undefined ? null : loadAccount(openCell(found.account))
  }
  const balance = (address: AccountId): bigint => account(address)?.storage.balance.grams ?? 0n
  return {
    account,
    balance,
    get(address, method, args = []) {
      const state = account(address)?.storage.state
      if (state?.kind !== 'active' || state.init.code === null || state.init.data === null)
        throw new Error(`${raw(address)} has no code to run ${method} of`)
      const { shard } = chain.reader.moment()
      executor.beginBlock({ now: shard.utime, randSeed: new Uint8Array(32) })
      const result = executor.runGetMethod({
        code: toCore(state.init.code).toBoc(),
        data: toCore(state.init.data).toBoc(),
        stack: serializeTuple(args).toBoc(),
        methodId: crc16(Buffer.from(method)) | 0x10000,
        address: raw(address),
        balance: balance(address),
        now: shard.utime,
      })
      if (!result.success) throw new Error(`${method} ended with ${result.exitCode}`)
      return new TupleReader(parseTuple(Cell.fromBase64(result.stack)))
    },
  }
}

export interface ReadTransaction extends TransactionFacts {
  readonly aborted: boolean
  /** Of the compute phase, or of the action phase when that is what failed; null when nothing was run. */
  readonly exitCode: number | null
}

/** Every transaction of a chain, in the order of blocks. */
export async function transactionsOf({ reader }: Devchain): Promise<ReadTransaction[]> {
  const all: ReadTransaction[] = []
  for (const workchain of [BASECHAIN, MASTERCHAIN]) {
    for (let seqno = 1, facts = reader.bySeqno(workchain, 1); facts; facts = reader.bySeqno(workchain, ++seqno)) {
      const root = await (await reader.block(facts)).root()
      const mcSeqno = workchain === MASTERCHAIN ? seqno : (reader.registeredBy(seqno)?.id.seqno ?? 0)
      for (const transaction of parseBlock(facts.id, root, { mcSeqno }).transactions) {
        const { aborted, compute_ph, action } = JSON.parse(transaction.description)
        const isActions = compute_ph?.exit_code === 0 && action && !action.success
        const exitCode = isActions ? action.result_code : (compute_ph?.exit_code ?? null)
        all.push({ ...transaction, aborted: aborted === true, exitCode })
      }
    }
  }
  return all
}
