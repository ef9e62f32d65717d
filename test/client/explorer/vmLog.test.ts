// Steps of a log of the TVM, from logs as it writes them.

import { describe, expect, test } from 'vitest'
import { readVmLog, stackItems } from '../../../client/explorer/trace/vmLog.ts'

const CELL = 'AB'.repeat(32)
const step = (stack: string, offset: number, instruction: string, gas: number, note = '') =>
  `stack: [ ${stack} ] \ncode cell hash: ${CELL} offset: ${offset}\nexecute ${instruction}\n${note}gas remaining: ${gas}\n`

const LOG = [
  step('1 2', 0, 'SETCP 0', 974),
  step('1 2', 16, 'ACCEPT', 99_000, 'changing gas limit to 100000\n'),
  step('1 2', 24, 'ADD', 98_982),
  `${step('3', 32, 'THROW 401', 98_900, 'default exception handler, terminating vm with exit code 401\n')}\n`,
].join('')

describe('a log', () => {
  test('is its steps, each with its gas, its stack and its place', () => {
    const steps = readVmLog(LOG, 4)
    expect(steps.map(({ number, instruction, used, left }) => [number, instruction, used, left])).toEqual([
      [1, 'SETCP 0', null, 974],
      [2, 'ACCEPT', null, 99_000],
      [3, 'ADD', 18, 98_982],
      [4, 'THROW 401', 82, 98_900],
    ])
    expect(steps[2]).toMatchObject({ stack: '1 2', place: { cell: CELL.toLowerCase(), offset: 24 }, notes: [] })
    expect(steps[3]?.notes).toEqual(['default exception handler, terminating vm with exit code 401'])
  })

  test('without its beginning is counted from its end, and the line that was cut is no step', () => {
    const cut = LOG.slice(LOG.indexOf('2 ] \ncode'))
    expect(readVmLog(cut, 4).map(({ number, stack }) => [number, stack])).toEqual([
      [1, ''],
      [2, '1 2'],
      [3, '1 2'],
      [4, '3'],
    ])
    const later = LOG.slice(LOG.indexOf('gas remaining: 974'))
    expect(readVmLog(later, 4).map(({ number }) => number)).toEqual([2, 3, 4])
  })

  test('of nothing, or of anything else, has no step', () => {
    expect(readVmLog('', 0)).toEqual([])
    expect(readVmLog('<b>\n\nstack: [\ngas remaining: x'.repeat(1000), null)).toEqual([])
  })
})

test('values of a stack are whole, and the top one is the first', () => {
  const values = ['1', '(null)', '[ 2 3 ]', '(4 (5))', 'CS{Cell{00} bits: 1..2; refs: 0..0}', 'Cont{vmc_std}', '-7']
  expect(stackItems(values.join(' '))).toEqual(values.toReversed())
  expect(stackItems('')).toEqual([])
  expect(stackItems('}}} {{{ 1 [')).toHaveLength(2)
})
