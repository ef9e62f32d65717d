// Pages that begin as far behind the start of a list as a caller may ask: there is nothing, and no number runs over.

import { expect, test } from 'vitest'
import { z } from 'zod'
import type { MethodSpec } from '../../shared/registry.ts'
import { indexed } from '../../shared/v3/indexed.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { rawOf } from '../setup/v3Ask.ts'
import { v3ForAll } from '../setup/v3Service.ts'

const FARTHEST = 2 ** 31 - 1
const MOST = { limit: 1000, offset: FARTHEST }
const parts = v3ForAll({ transactions: 200, accounts: 20 })

const methods: readonly MethodSpec[] = Object.values(indexed)
const lists = methods.flatMap(({ params, rest, example }) => {
  const path = rest.find(({ verb }) => verb === 'GET')?.path
  if (path === undefined || !(params instanceof z.ZodObject) || !('offset' in params.shape)) return []
  const { seqno, ...query } = { ...Object(example.params), return_participants: false, return_validators: false }
  return [{ path, query: seqno === undefined ? query : { ...query, seqno: 1000 } }]
})

async function rowsOf(path: string, query: object): Promise<unknown> {
  const { status, body } = await ask(parts().service, `${path}${queryOf({ ...query, ...MOST })}`)
  return status === 200 ? (Array.isArray(body) ? body : Object.values(body).find(Array.isArray)) : { status, body }
}

test('of every list', async () => {
  expect(lists.length).toBeGreaterThan(20)
  const found = await Promise.all(lists.map(async ({ path, query }) => [path, await rowsOf(path, query)]))
  expect(found).toEqual(lists.map(({ path }) => [path, []]))
})

test.each(['asc', 'desc'])('of the balances of an account by intervals, %s', async (sort) => {
  const account = rawOf(parts().known.transactions[0]?.account ?? new Uint8Array(33))
  expect(await rowsOf('/api/v3/balanceHistory', { account, interval: 60, sort })).toEqual([])
})
