// Storage of the elector as the public contract would leave it, built with @ton/core from the published layout.

import { Address, type Builder, beginCell, Cell, Dictionary } from '@ton/core'

export const electionId = 1_700_000_900
export const firstKey = 0x11n
export const lastKey = (1n << 256n) - 2n
export const holder = Address.parseRaw(`-1:${'a1'.repeat(32)}`)
export const otherHolder = Address.parseRaw(`-1:${'a2'.repeat(32)}`)
export const voterSet = 0x5e7
export const rewarded = BigInt(`0x${'a3'.repeat(32)}`)
const coin = 1_000_000_000n

/** A dictionary whose values are written as they stand. */
function hashmap(bits: number, entries: [bigint | number, Builder][]): Dictionary<bigint, Cell> {
  const dict = Dictionary.empty(Dictionary.Keys.BigUint(bits), {
    serialize: (cell: Cell, builder) => builder.storeSlice(cell.beginParse()),
    parse: (slice) => slice.asCell(),
  })
  for (const [key, value] of entries) dict.set(BigInt(key), value.endCell())
  return dict
}

const root = (dict: Dictionary<bigint, Cell>) => beginCell().storeDictDirect(dict).endCell()

export function complaint(): { cell: Cell; description: Cell } {
  const description = beginCell().storeUint(0x450e8bd9, 32).storeUint(5, 32).storeRef(Cell.EMPTY).endCell()
  const cell = beginCell()
    .storeUint(0xbc, 8)
    .storeUint(lastKey, 256)
    .storeRef(description)
    .storeUint(electionId + 100, 32)
    .storeUint(1, 8)
    .storeUint(rewarded, 256)
    .storeCoins(1_004_792_320n)
    .storeCoins(101n * coin)
    .storeUint(0, 32)
    .endCell()
  return { cell, description }
}

export const complaintHash = (): bigint => BigInt(`0x${complaint().cell.hash().toString('hex')}`)

const complaints = () => {
  const voters = hashmap(16, [
    [1, beginCell().storeUint(8, 32)],
    [0, beginCell().storeUint(9, 32)],
  ])
  const status = beginCell()
    .storeUint(0x2d, 8)
    .storeRef(complaint().cell)
    .storeDict(voters)
    .storeUint(voterSet, 256)
    .storeInt(-384_307_168_202_282_325n, 64)
  return hashmap(256, [[complaintHash(), status]])
}

const frozen = () => {
  const one = (source: Address, stake: bigint) =>
    beginCell().storeBuffer(source.hash).storeUint(7, 64).storeCoins(stake).storeBit(0)
  return hashmap(256, [
    [firstKey, one(holder, 10_000n * coin)],
    [lastKey, one(otherHolder, 7500n * coin)],
  ])
}

/** Roots of the dictionaries in the past election. */
export const dictOf = () => ({ frozen: root(frozen()), complaints: root(complaints()) })

function election(): Cell {
  const member = (stake: bigint, factor: number, source: Address, adnl: number) =>
    beginCell().storeCoins(stake).storeUint(5, 32).storeUint(factor, 32).storeBuffer(source.hash).storeUint(adnl, 256)
  return beginCell()
    .storeUint(electionId + 1000, 32)
    .storeUint(electionId + 700, 32)
    .storeCoins(1000n * coin)
    .storeCoins(17_500n * coin)
    .storeDict(
      hashmap(256, [
        [lastKey, member(7500n * coin, 65_536, otherHolder, 0xd2)],
        [firstKey, member(10_000n * coin, 196_608, holder, 0xd1)],
      ]),
    )
    .storeBit(1)
    .storeBit(0)
    .endCell()
}

export interface StorageParts {
  readonly empty?: boolean
  readonly withoutCredits?: boolean
  readonly withoutOlder?: boolean
  readonly grams?: bigint
  readonly bonuses?: bigint
  readonly activeId?: number
}

/** An open election with two members, a credit, and two past elections; or none of it. */
export function electorStorage(parts: StorageParts): Cell {
  const { empty = false, grams = 0n, bonuses = 123_456_789_000n, activeId = 0 } = parts
  const past = (unfreezeAt: number, setHash: number) =>
    beginCell().storeUint(unfreezeAt, 32).storeUint(180, 32).storeUint(setHash, 256)
  const recent = past(electionId + 2280, 99)
    .storeDict(frozen())
    .storeCoins(17_500n * coin)
    .storeCoins(bonuses)
    .storeDict(complaints())
  const older = past(5, 98).storeBit(0).storeCoins(0).storeCoins(0).storeBit(0)
  const elections: [number, Builder][] = [[electionId, recent]]
  if (parts.withoutOlder !== true) elections.push([electionId - 1200, older])
  const credits: [bigint, Builder][] =
    parts.withoutCredits === true
      ? []
      : [[BigInt(`0x${holder.hash.toString('hex')}`), beginCell().storeCoins(2000n * coin)]]
  const builder = beginCell()
  if (empty) builder.storeUint(0, 3)
  else builder.storeMaybeRef(election()).storeDict(hashmap(256, credits)).storeDict(hashmap(32, elections))
  return builder.storeCoins(grams).storeUint(activeId, 32).storeUint(0, 256).endCell()
}
