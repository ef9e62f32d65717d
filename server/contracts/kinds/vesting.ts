// Wallets whose balance unlocks over time. No other contract confirms their claims, so only the public code is accepted.

import {
  type Cell,
  Dict,
  dictBytesKey,
  dictKind,
  hashFromHex,
  orNull,
  type StdAddress,
  sliceValue,
  stdAddress,
} from '../../cell/index.ts'
import { TlbError } from '../../tlb/index.ts'
import { addressAt, cellAt, intAt } from '../stack/results.ts'
import type { ContractKind } from './kind.ts'

export interface VestingData {
  readonly startTime: bigint
  readonly totalDuration: bigint
  readonly unlockPeriod: bigint
  readonly cliffDuration: bigint
  readonly totalAmount: bigint
  readonly sender: StdAddress
  readonly owner: StdAddress
  readonly whitelist: readonly StdAddress[]
}

const CODE = hashFromHex('b48b531abec3b714638291f7d77ed6dc9f6a2729efca20477137374d4ae8b590')
/** Workchain and account. */
const listedKind = dictKind(dictBytesKey(264), sliceValue)
/** A few cells that share subtrees can claim any number. */
const MOST_LISTED = 1000

function listedIn(root: Cell): readonly StdAddress[] {
  const listed: StdAddress[] = []
  for (const key of new Dict(listedKind, root).keys()) {
    if (listed.length === MOST_LISTED) throw new TlbError('value', `over ${MOST_LISTED} are on the list`)
    listed.push(stdAddress(((key[0] ?? 0) << 24) >> 24, key.subarray(1)))
  }
  return listed
}

export const vestingKind: ContractKind<VestingData> = {
  methods: ['get_vesting_data'],
  codes: [CODE],
  async read(contracts, id) {
    const stack = await contracts.results(id, 'get_vesting_data')
    if (stack === null) return null
    const startTime = intAt(stack, 0)
    const totalDuration = intAt(stack, 1)
    const unlockPeriod = intAt(stack, 2)
    const cliffDuration = intAt(stack, 3)
    const totalAmount = intAt(stack, 4)
    const sender = addressAt(stack, 5)
    const owner = addressAt(stack, 6)
    const root = cellAt(stack, 7)
    const whitelist = root === undefined ? (stack[7]?.kind === 'null' ? [] : null) : orNull(() => listedIn(root))
    if (startTime === undefined || totalDuration === undefined || unlockPeriod === undefined) return null
    if (cliffDuration === undefined || totalAmount === undefined) return null
    if (sender == null || owner == null || whitelist === null) return null
    return { startTime, totalDuration, unlockPeriod, cliffDuration, totalAmount, sender, owner, whitelist }
  },
}
