// A rule is one file and one line of the list: the one of the guide, for a protocol that is not among the rules.

import { expect, test } from 'vitest'
import { type AccountsFacts, classifyTrace, supportedTypes } from '../../../server/actions/index.ts'
import { ACTION_RULES } from '../../../server/actions/rules/index.ts'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { SINGLE_NOMINATOR_CODE, singleNominatorWithdrawal } from './exampleRule.ts'
import { message, trace, transaction } from './madeTraces.ts'

/** The line. */
const RULES = [...ACTION_RULES, singleNominatorWithdrawal]

const OWNER = `0:${'A'.repeat(64)}`
const POOL = `-1:${'B'.repeat(64)}`
const request = beginCell().storeUint(0x1000, 32).storeUint(7, 64).storeCoins(500n).end()

function withdrawal(body: Cell, codeHash: string) {
  const requested = message({ source: OWNER, destination: POOL, body })
  const paid = message({ source: POOL, destination: OWNER, lt: 2n })
  const input = trace(
    transaction({ account: POOL, in: requested, outMessages: [paid] }),
    transaction({ account: OWNER, in: paid }),
  )
  const facts: AccountsFacts = new Map([[POOL, { interfaces: [], codeHash }]])
  return classifyTrace(input, facts, RULES).actions
}

test('it reports what the pool has paid', () => {
  expect(withdrawal(request, SINGLE_NOMINATOR_CODE)).toMatchObject([
    {
      type: 'single_nominator_withdraw',
      success: true,
      details: { owner: OWNER, pool: POOL, requested: '500', paid: expect.stringMatching(/^[1-9]/) },
    },
  ])
})

test('another contract, or a body that is cut off, is a call', () => {
  const typesOf = (body: Cell, code: string) => withdrawal(body, code).map(({ type }) => type)
  expect(typesOf(request, 'another')).toEqual(['call_contract', 'ton_transfer'])
  const short = beginCell().storeUint(0x1000, 32).storeUint(7, 64).end()
  expect(typesOf(short, SINGLE_NOMINATOR_CODE)).toEqual(['call_contract', 'ton_transfer'])
})

test('clients of the latest version are shown its type, those of an earlier one are not', () => {
  const { types = [] } = singleNominatorWithdrawal
  const isShown = (...names: string[]) => types.every((type) => supportedTypes(names, RULES).has(type))
  expect([types.length, isShown(), isShown('latest'), isShown('v5')]).toEqual([1, true, true, false])
})
