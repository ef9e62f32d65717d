// A block may have ten thousand accounts: what the index has of them is read with some in each statement.

import { expect, test } from 'vitest'
import { type AccountKey, readCodes, readKnownTokens, type Sql } from '../../../server/store/index.ts'

// The casts: 33 bytes are a key.
const keys = Array.from({ length: 1_200 }, (_, i) => Buffer.alloc(33, `${i} `) as Uint8Array as AccountKey)

test.each([
  ['tokens', readKnownTokens],
  ['codes', readCodes],
] as const)('%s', async (_, read) => {
  const asked: (readonly unknown[])[] = []
  const sql: Sql = {
    query({ values }) {
      const lists = values.filter((value) => Array.isArray(value))
      asked.push(lists[0] ?? [])
      expect(lists.every(({ length }) => length <= 500)).toBe(true)
      return Promise.resolve([])
    },
  }
  expect(await read(sql, keys)).toEqual([])
  expect(asked.flat()).toEqual(keys)
})
