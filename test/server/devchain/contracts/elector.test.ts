import { Address, beginCell, Cell, type TupleItem, type TupleReader } from '@ton/core'
import { ElectorContract } from '@ton/ton'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contractCode, ELECTOR_ACCOUNT, electorData } from '../../../../server/devchain/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { Actor, exitCode, sent, startTvm, systemAddress } from '../actor.ts'
import {
  complaint,
  complaintHash,
  dictOf,
  electionId,
  electorStorage,
  firstKey,
  holder,
  lastKey,
  otherHolder,
  rewarded,
  type StorageParts,
  voterSet,
} from './electorStorage.ts'

const address = systemAddress(ELECTOR_ACCOUNT)
const fees = systemAddress(new Uint8Array(32))
const stranger = Address.parseRaw(`0:${'ab'.repeat(32)}`)
const coin = 1_000_000_000n
let executor: Emulator
let elector: Actor

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  elector = new Actor(executor, { address, code: contractCode('elector'), data: electorData(), tickTock: true })
})

const fill = (parts: StorageParts = {}) => elector.setData(electorStorage(parts))
const int = (value: bigint | number): TupleItem => ({ type: 'int', value: BigInt(value) })
const op = (code: number, queryId = 77n) => beginCell().storeUint(code, 32).storeUint(queryId, 64)

/** Plain values of a stack, lists unrolled, cells by their hash. */
function plain(item: TupleItem | undefined): unknown {
  if (item?.type === 'int') return item.value
  if (item?.type === 'tuple') return item.items.map(plain)
  return item !== undefined && 'cell' in item ? item.cell.hash().toString('hex') : null
}
const list = (reader: TupleReader) => reader.readLispList().map(plain)
const hex = (cell: Cell) => cell.hash().toString('hex')

describe('get-methods on empty storage', () => {
  test('default: numbers are zero', () => {
    expect(elector.get('active_election_id').readNumber()).toBe(0)
    expect(elector.get('participates_in', [int(5)]).readNumber()).toBe(0)
    expect(elector.get('compute_returned_stake', [int(5)]).readNumber()).toBe(0)
  })

  test.each(['participant_list', 'past_elections', 'past_elections_list', 'past_election_ids'])(
    'default: %s is an empty list',
    (method) => {
      expect(elector.get(method).readLispList()).toEqual([])
    },
  )

  test('default: participant_list_extended', () => {
    const values = elector.get('participant_list_extended')
    expect([0, 1, 2, 3].map(() => values.readNumber())).toEqual([0, 0, 0, 0])
    expect(values.readLispList()).toEqual([])
    expect([values.readBoolean(), values.readBoolean(), values.remaining]).toEqual([false, false, 0])
  })

  test('default: complaints of an election that never was', () => {
    expect(elector.get('list_complaints', [int(5)]).readLispList()).toEqual([])
    expect(elector.get('show_complaint', [int(5), int(6)]).pop().type).toBe('null')
    expect(elector.get('get_past_complaints', [int(5)]).pop().type).toBe('null')
  })

  test('default: the public wrapper', async () => {
    const wrapper = ElectorContract.create()
    const provider = elector.provider()
    expect(await wrapper.getActiveElectionId(provider)).toBeNull()
    expect(await wrapper.getElectionEntities(provider)).toBeNull()
    expect(await wrapper.getPastElections(provider)).toEqual([])
    expect(await wrapper.getPastElectionsList(provider)).toEqual([])
    expect(await wrapper.getComplaints(provider, 5)).toEqual([])
    expect(await wrapper.getReturnedStake(provider, holder)).toBe(0n)
  })
})

describe('get-methods on real contents', () => {
  beforeEach(() => fill())

  test('default: the open election', () => {
    expect(elector.get('active_election_id').readNumber()).toBe(electionId + 1000)
    expect(elector.get('participates_in', [int(firstKey)]).readBigNumber()).toBe(10_000n * coin)
    expect(elector.get('participates_in', [int(firstKey + 1n)]).readBigNumber()).toBe(0n)
    expect(list(elector.get('participant_list'))).toEqual([
      [firstKey, 10_000n * coin],
      [lastKey, 7500n * coin],
    ])
  })

  test('default: participant_list_extended, keys in ascending order', () => {
    const values = elector.get('participant_list_extended')
    expect([values.readNumber(), values.readNumber()]).toEqual([electionId + 1000, electionId + 700])
    expect([values.readBigNumber(), values.readBigNumber()]).toEqual([1000n * coin, 17_500n * coin])
    const id = (of: Address) => BigInt(`0x${of.hash.toString('hex')}`)
    expect(list(values)).toEqual([
      [firstKey, [10_000n * coin, 196_608n, id(holder), 0xd1n]],
      [lastKey, [7500n * coin, 65_536n, id(otherHolder), 0xd2n]],
    ])
    expect([values.readBoolean(), values.readBoolean()]).toEqual([true, false])
  })

  test('default: past elections', () => {
    const { frozen, complaints } = dictOf()
    const past = [
      BigInt(electionId),
      BigInt(electionId) + 2280n,
      180n,
      99n,
      hex(frozen),
      17_500n * coin,
      123_456_789_000n,
      hex(complaints),
    ]
    const older = [BigInt(electionId) - 1200n, 5n, 180n, 98n, null, 0n, 0n, null]
    expect(list(elector.get('past_elections'))).toEqual([older, past])
    expect(list(elector.get('past_elections_list'))).toEqual([
      [older[0], older[1], older[3], older[2]],
      [past[0], past[1], past[3], past[2]],
    ])
    expect(list(elector.get('past_election_ids'))).toEqual([older[0], past[0]])
  })

  test('default: complaints', () => {
    const { description } = complaint()
    const fields = [lastKey, hex(description), BigInt(electionId) + 100n, 1n, rewarded, 1_004_792_320n, 101n * coin, 0n]
    const view = [fields, [0n, [1n, null]], BigInt(voterSet), -384_307_168_202_282_325n]
    const shown = elector.get('show_complaint', [int(electionId), int(complaintHash())]).readTuple()
    expect([...Array(shown.remaining)].map(() => plain(shown.pop()))).toEqual(view)
    expect(list(elector.get('list_complaints', [int(electionId)]))).toEqual([[complaintHash(), view]])
    expect(elector.get('show_complaint', [int(electionId), int(1)]).pop().type).toBe('null')
    expect(
      elector
        .get('get_past_complaints', [int(electionId)])
        .readCell()
        .equals(dictOf().complaints),
    ).toBe(true)
  })

  test('default: the public wrapper', async () => {
    const wrapper = ElectorContract.create()
    const provider = elector.provider()
    expect(await wrapper.getActiveElectionId(provider)).toBe(electionId + 1000)
    const entities = (await wrapper.getElectionEntities(provider))?.entities ?? []
    expect(entities.map((one) => one.address.toRawString())).toEqual(
      [holder, otherHolder].map((one) => one.toRawString()),
    )
    expect(await wrapper.getReturnedStake(provider, holder)).toBe(2000n * coin)
    expect(await wrapper.getPastElectionsList(provider)).toHaveLength(2)
    const [found] = await wrapper.getComplaints(provider, electionId)
    expect(found).toMatchObject({
      id: complaintHash(),
      createdAt: electionId + 100,
      votes: [0, 1],
      vsetId: BigInt(voterSet),
    })
  })

  test('behavior: the wrapper reads past elections that all have frozen stakes', async () => {
    fill({ withoutOlder: true })
    const [past] = await ElectorContract.create().getPastElections(elector.provider())
    expect(past).toMatchObject({
      id: electionId,
      stakeHeld: 180,
      totalStake: 17_500n * coin,
      bonuses: 123_456_789_000n,
    })
    expect(past?.frozen.size).toBe(2)
  })

  test('complaint_storage_price follows parameter 13', () => {
    const args = [int(100), int(3), int(1280)]
    expect(elector.get('complaint_storage_price', args).readBigNumber()).toBe(
      coin + (1124n + 5n * 500n) * 1280n + (1n << 30n),
    )
  })
})

describe('coins that arrive', () => {
  test('default: fees without a validator at work belong to an address without a contract', () => {
    const before = elector.balance
    const transaction = elector.receive({ from: fees, value: 123n, bounce: false })
    expect([exitCode(transaction), transaction.totalFees.coins]).toEqual([0, 0n])
    expect(elector.balance).toBe(before + 123n)
    expect(elector.data.equals(electorStorage({ empty: true, grams: 123n }))).toBe(true)
  })

  test('default: fees are bonuses of the set at work', () => {
    fill({ activeId: electionId })
    elector.receive({ from: fees, value: 1000n, bounce: false })
    expect(elector.data.equals(electorStorage({ activeId: electionId, bonuses: 123_456_790_000n }))).toBe(true)
  })

  test('behavior: fees when the record of that set is gone', () => {
    fill({ activeId: 5, grams: 1n })
    elector.receive({ from: fees, value: 1000n, bounce: false })
    expect(elector.data.equals(electorStorage({ activeId: 5, grams: 1001n }))).toBe(true)
  })

  test('behavior: coins of a masterchain account stay its own', () => {
    elector.receive({ from: holder, value: 5n })
    elector.receive({ from: holder, value: 6n, body: beginCell().storeUint(0, 32).storeStringTail('more').endCell() })
    const account = BigInt(`0x${holder.hash.toString('hex')}`)
    expect(elector.get('compute_returned_stake', [int(account)]).readBigNumber()).toBe(11n)
  })

  test('behavior: coins of the basechain belong to an address without a contract', () => {
    elector.receive({ from: stranger, value: 5n })
    expect(elector.data.equals(electorStorage({ empty: true, grams: 5n }))).toBe(true)
  })

  test.each([1, 31])('behavior: a body of %i bits is no operation', (bits) => {
    expect(exitCode(elector.receive({ from: holder, value: 5n, body: beginCell().storeUint(1, bits).endCell() }))).toBe(
      0,
    )
  })
})

describe('operations', () => {
  const answerTo = (from: Address, body: Cell, value = coin) =>
    sent(elector.receive({ from, body, value })).map((message) => {
      const slice = message.body.beginParse()
      const code = slice.loadUint(32)
      const queryId = slice.loadUintBig(64)
      return {
        to: message.to,
        value: message.value,
        code,
        queryId,
        about: slice.remainingBits === 0 ? null : slice.loadUint(32),
      }
    })

  test('recover_stake: pays the whole credit and the rest of the message, once', () => {
    fill()
    const [paid] = answerTo(holder, op(0x47657424).endCell())
    expect(paid).toMatchObject({ to: holder.toRawString(), code: 0xf96f7324, queryId: 77n, about: null })
    const fee = 2000n * coin + coin - (paid?.value ?? 0n)
    expect(fee).toBeGreaterThanOrEqual(0n)
    expect(fee).toBeLessThan(coin / 10n)
    expect(answerTo(holder, op(0x47657424).endCell())).toMatchObject([
      { code: 0xfffffffe, queryId: 77n, about: 0x47657424 },
    ])
    expect(elector.data.equals(electorStorage({ withoutCredits: true }))).toBe(true)
  })

  test('recover_stake: the same account in another workchain is owed nothing', () => {
    fill()
    const [answer] = answerTo(new Address(0, holder.hash), op(0x47657424).endCell())
    expect(answer).toMatchObject({ code: 0xfffffffe, about: 0x47657424 })
    expect(elector.data.equals(electorStorage({}))).toBe(true)
  })

  test('new_stake: comes back whole with reason 0', () => {
    const body = op(0x4e73744b).storeUint(1, 256).storeUint(2, 64).storeUint(3, 256).storeRef(Cell.EMPTY).endCell()
    const [answer] = answerTo(holder, body, 5000n * coin)
    expect(answer).toMatchObject({ to: holder.toRawString(), code: 0xee6f454c, queryId: 77n, about: 0 })
    expect(answer?.value).toBeGreaterThan(4999n * coin)
    expect(elector.data.equals(electorStorage({ empty: true }))).toBe(true)
  })

  test('error: an unknown operation comes back', () => {
    expect(answerTo(holder, op(0x12345678).endCell())).toMatchObject([
      { code: 0xffffffff, queryId: 77n, about: 0x12345678 },
    ])
  })

  test('error: an operation without a number is returned by the network', () => {
    const transaction = elector.receive({ from: holder, body: beginCell().storeUint(0x47657424, 32).endCell() })
    expect(exitCode(transaction)).toBe(9)
    expect(sent(transaction)).toMatchObject([{ to: holder.toRawString() }])
  })

  test('behavior: answers of the configuration contract are not answered', () => {
    expect(answerTo(systemAddress(new Uint8Array(32).fill(0x55)), op(0xee764f4b).endCell())).toEqual([])
  })
})

test('the first tick takes note of the validators at work, and further ones leave everything as it is', () => {
  expect(exitCode(elector.special('tick'))).toBe(0)
  const noted = elector.data
  expect(noted.equals(electorStorage({ empty: true }))).toBe(false)
  const transaction = elector.special('tick')
  expect([exitCode(transaction), transaction.totalFees.coins, sent(transaction)]).toEqual([0, 0n, []])
  expect(elector.data.equals(noted)).toBe(true)
})
