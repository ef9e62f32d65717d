// What names of operations are made of, where the page does not have it yet.

import { namesByOpcode } from '../../shared/explorer/operationName.ts'
import { client } from './pageClient.ts'

type Pairs<T> = readonly (readonly [string, T])[]

/** Names in the schemas of the service, by opcode; empty for none. */
export async function readOperationNames(opcodes: readonly string[]): Promise<Pairs<string>> {
  if (opcodes.length === 0) return []
  const { opcodes: names } = await client.v3.decode({ opcodes: [...opcodes] })
  return namesByOpcode(opcodes, names)
}

/** Hashes of codes by account; null for an account without code. */
export async function readCodeHashes(accounts: readonly string[]): Promise<Pairs<string | null>> {
  if (accounts.length === 0) return []
  const { accounts: states } = await client.v3.accountStates({ address: [...accounts], include_boc: false })
  const found = new Map(states.map(({ address, code_hash: code }) => [address, code ?? null]))
  return accounts.map((account) => [account, found.get(account) ?? null])
}
