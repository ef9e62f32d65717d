import type { ContractState } from '@ton/core'
import type { Api } from '../index.ts'

type Information = Api['getAddressInformation']['result']

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')
const maybeBytes = (base64: string): Buffer | null => (base64 === '' ? null : bytesOf(base64))

function storageOf({ state, code, data, frozen_hash }: Information): ContractState['state'] {
  if (state === 'active') return { type: 'active', code: maybeBytes(code), data: maybeBytes(data) }
  return state === 'frozen' ? { type: 'frozen', stateHash: bytesOf(frozen_hash) } : { type: 'uninit' }
}

/** An account as @ton/core describes it: code and data are bags of cells. */
export function toContractState(account: Information): ContractState {
  const { balance, extra_currencies: extra, last_transaction_id: last } = account
  return {
    balance: BigInt(balance),
    extracurrency: extra.length === 0 ? null : Object.fromEntries(extra.map(({ id, amount }) => [id, BigInt(amount)])),
    last: last.lt === '0' ? null : { lt: BigInt(last.lt), hash: bytesOf(last.hash) },
    state: storageOf(account),
  }
}
