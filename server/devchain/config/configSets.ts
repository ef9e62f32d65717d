// Parameters that are sets, from lists.

import { buildDict, type Cell, dictBytesKey, dictKind, intKey, unitValue } from '../../cell/index.ts'
import { storeConfigParam, validatorsKind } from '../../tlb/index.ts'

const numbersKind = dictKind(intKey(32), unitValue)
const accountsKind = dictKind(dictBytesKey(256), unitValue)

/** Parameter 9 or 10, which both are numbers of parameters. */
export const paramListCell = (numbers: readonly number[]): Cell =>
  storeConfigParam(
    9,
    buildDict(
      numbersKind,
      numbers.map((number) => [number, true] as const),
    ),
  )

/** Parameter 31: accounts of the masterchain that pay no gas. */
export const accountListCell = (accounts: readonly Uint8Array[]): Cell =>
  storeConfigParam(
    31,
    buildDict(
      accountsKind,
      accounts.map((account) => [account, true] as const),
    ),
  )

export interface ConfigValidator {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
  readonly weight: bigint
  /** 32 bytes. */
  readonly adnlAddress: Uint8Array
}

/** Any of the parameters 32 to 37; all members are main validators. */
export function validatorSetCell(since: number, until: number, validators: readonly ConfigValidator[]): Cell {
  const members = validators.map(
    ({ publicKey, weight, adnlAddress }, index) => [index, { publicKey, weight, adnlAddress }] as const,
  )
  return storeConfigParam(34, {
    utimeSince: since,
    utimeUntil: until,
    total: validators.length,
    main: validators.length,
    totalWeight: validators.reduce((sum, { weight }) => sum + weight, 0n),
    list: buildDict(validatorsKind, members),
  })
}
