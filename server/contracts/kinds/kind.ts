import { type BinaryHash, type StdAddress, sameBytes } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import type { Contracts } from '../contracts.ts'
import { addressAt, type Results } from '../stack/results.ts'

/** A kind of contract, and how an account is tested for it. */
export interface ContractKind<T> {
  /** A contract of this kind has at least one of these get-methods. */
  readonly methods: readonly string[]
  /** Codes of the kind, where nothing confirms what a contract claims and it may be anybody's. */
  readonly codes?: readonly BinaryHash[]
  /**
   * What the contract claims, as far as others it names confirm it; null for another kind. Rejects as Contracts do.
   */
  read(contracts: Contracts, id: AccountId): Promise<T | null>
}

/** Whether a method gave the address of an account. */
export function gives(stack: Results | null, { workchain, hash }: AccountId): boolean {
  const address: StdAddress | null | undefined = stack && addressAt(stack, 0)
  return address?.workchain === workchain && sameBytes(address.hash, hash)
}
