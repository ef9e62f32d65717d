// The order in which the messages of an emulated trace are delivered.

import { expect, test } from 'vitest'
import { beginCell, stdAddress } from '../../../../server/cell/index.ts'
import { type Arrival, Arrivals, arrivalOf } from '../../../../server/methods/emulation/arrivals.ts'
import { gramsOnly, type InternalInfo, makeMessage, storeMessage } from '../../../../server/tlb/index.ts'

const BASE = 0
const MASTER = -1

const addressOf = (workchain: number) => stdAddress(workchain, new Uint8Array(32).fill(5))

/** A message that an account of one workchain has sent to one of another. */
function sent(from: number, to: number, createdLt: bigint, step = 0): Arrival | null {
  const info: InternalInfo = {
    kind: 'internal',
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src: addressOf(from),
    dest: addressOf(to),
    value: gramsOnly(1n),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt,
    createdAt: 0,
  }
  const message = makeMessage(info, null, beginCell().end())
  return arrivalOf(storeMessage(beginCell(), message).end(), step, 1, from)
}

test('messages that cross to another workchain arrive after all that do not, whatever their logical times', () => {
  const arrivals = new Arrivals([sent(BASE, MASTER, 1n), sent(BASE, BASE, 3n)])
  arrivals.add(sent(BASE, BASE, 2n))
  const order = [arrivals.next(), arrivals.next()]
  // One more of that step comes while it is worked off.
  arrivals.add(sent(BASE, BASE, 9n))
  order.push(arrivals.next(), arrivals.next(), arrivals.next())
  expect(order.map((one) => one?.lt)).toEqual([2n, 3n, 9n, 1n, undefined])
})

test('one that comes back has crossed twice', () => {
  const there = sent(BASE, MASTER, 1n)
  expect(there?.step).toBe(1)
  expect(sent(MASTER, MASTER, 2n, there?.step)?.step).toBe(1)
  expect(sent(MASTER, BASE, 2n, there?.step)?.step).toBe(2)
})
