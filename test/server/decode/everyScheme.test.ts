// Every scheme that the decoder knows: bodies made from its words are shown as they were made, and what is done to such a
// body leads to another record or to none, within bounds.

import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, readBoc } from '../../../server/cell/index.ts'
import { decodeBody } from '../../../server/decode/index.ts'
import { everyScheme, type NamedScheme } from '../../setup/everyScheme.ts'
import { Random } from '../../setup/random.ts'
import { SchemeBodies } from '../../setup/schemeBodies.ts'

const { schemes, types } = everyScheme()

/** The same for a scheme whatever others there are. */
const makerOf = (random: Random) => new SchemeBodies(random, (type) => types.get(type) ?? [])
const randomOf = ({ operation, fields }: NamedScheme) => new Random(operation + fields.length)

/** Bodies that another scheme of the operation reads to their end too: that one is tried first. */
const ALIKE: Readonly<Record<string, string>> = {
  coffee_cross_dex_failure_forward_payload: 'coffee_cross_dex_failure',
  coffee_mev_protect_failed_swap_forward_payload: 'coffee_mev_protect_failed_swap',
  coffee_notification_forward_payload: 'coffee_notification',
  // Only with an amount that begins with the bits of a large duration.
  coffee_staking_rewards_updated: 'coffee_staking_update_rewards',
  // What follows is a payload with the bit in front of it, or one without.
  jetton_internal_transfer: 'jetton_internal_transfer',
  moon_swap_failed_forward_payload: 'moon_swap_failed',
  moon_swap_succeed_forward_payload: 'moon_swap_succeed',
  // Only without what was paid.
  tonco_router_pay_to_exit_code_201: 'tonco_router_pay_to_normal',
}

test('bodies made from the words of a scheme are shown as they were made', () => {
  expect(schemes.length).toBeGreaterThan(540)
  const others: string[] = []
  for (const scheme of schemes) {
    const { name, operation, fields } = scheme
    const maker = makerOf(randomOf(scheme))
    for (let i = 0; i < 8; i++) {
      const { cell, shown } = maker.body(operation, name, fields)
      const decoded = decodeBody(readBoc(cell.toBoc()))
      if (isDeepStrictEqual(decoded, shown)) continue
      if (decoded === null || ALIKE[name] !== decoded['@type']) others.push(`${name} as ${decoded?.['@type']}`)
    }
  }
  expect(others).toEqual([])
})

const library = beginCell().storeUint(2, 8).storeUint(5n, 256).end(true)
const pruned = beginCell().storeUint(0x0101, 16).storeUint(7n, 256).storeUint(3, 16).end(true)

function fork(depth: number, leaf: Cell): Cell {
  let cell = leaf
  for (let i = 0; i < depth; i++) cell = beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell).end()
  return cell
}

function chain(depth: number): Cell {
  let cell = beginCell().storeUint(0, 32).end()
  for (let i = 0; i < depth; i++) cell = beginCell().storeUint(i, 64).storeRef(cell).end()
  return cell
}

/** Of an operation whose body holds another one twice. */
function payloads(depth: number): Cell {
  let cell = beginCell().storeUint(1, 32).end()
  for (let i = 0; i < depth; i++)
    cell = beginCell().storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(cell).storeRef(cell).end()
  return cell
}

/** What a reference may lead to in place of what belongs there. */
const STRANGE: readonly [Cell, ...Cell[]] = [
  library,
  pruned,
  fork(256, beginCell().storeUint(0, 8).end()),
  fork(16, beginCell().storeUint(0, 64).storeRef(payloads(20)).end()),
  chain(900),
  payloads(40),
  beginCell().end(),
]

function rebuilt(cell: Cell, bits: number, refs: readonly Cell[]): Cell {
  const to = beginCell().storeRange(cell.data(), 0, Math.min(bits, cell.bits))
  if (bits > cell.bits) to.storeRepeat(1, Math.min(bits - cell.bits, to.remainingBits))
  for (const ref of refs.slice(0, 4)) to.storeRef(ref)
  return to.end()
}

/** Somewhere in the tree, a few cells down at most. */
function changed(cell: Cell, random: Random): Cell {
  if (cell.isExotic) return cell
  const at = random.below(cell.refs.length + 1)
  const below = cell.refs[at]
  if (below !== undefined && random.chance(0.6))
    return rebuilt(
      cell,
      cell.bits,
      cell.refs.map((ref, i) => (i === at ? changed(below, random) : ref)),
    )
  const strange = random.pick(STRANGE)
  switch (random.below(5)) {
    case 0:
      return rebuilt(cell, random.below(cell.bits + 1), cell.refs)
    case 1:
      return rebuilt(cell, cell.bits + 1 + random.below(40), cell.refs)
    case 2:
      return rebuilt(cell, cell.bits, cell.refs.slice(1))
    case 3:
      return rebuilt(cell, cell.bits, [...cell.refs, strange])
    default:
      return rebuilt(
        cell,
        cell.bits,
        cell.refs.map((ref, i) => (i === at ? strange : ref)),
      )
  }
}

/** Of this process, since others may keep it waiting. */
function cpuMs(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  return process.cpuUsage(start).user / 1000
}

describe('what is done to a body', () => {
  test('leads to a record or to nothing, within bounds', () => {
    let longest = 0
    const slow: string[] = []
    for (const scheme of schemes) {
      const random = randomOf(scheme)
      const made = makerOf(random).body(scheme.operation, scheme.name, scheme.fields)
      const body = readBoc(made.cell.toBoc())
      for (let i = 0; i < 12; i++) {
        const altered = changed(body, random)
        let text = ''
        const decode = () => {
          text = JSON.stringify(decodeBody(altered))
        }
        if (cpuMs(decode) > 150 && Math.min(cpuMs(decode), cpuMs(decode), cpuMs(decode)) > 150) slow.push(scheme.name)
        expect(text).toMatch(/^(?:null$|\{"@type":)/)
        longest = Math.max(longest, text.length)
      }
    }
    expect(slow).toEqual([])
    expect(longest).toBeLessThan(2_000_000)
  })

  test('bits behind it are left where no scheme reads them', () => {
    const body = beginCell().storeUint(0xd53276db, 32).storeUint(7, 64)
    expect(decodeBody(body.storeUint(1, 5).end())).toEqual({ '@type': 'excess', query_id: '7' })
  })
})
