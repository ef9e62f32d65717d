// Every statement of the program against the guide on capacity: tables that would be split over servers, and that one statement
// reads or writes together. Statements that are put together from parts are looked at by their plans, in explain.test.ts.

import { expect, test } from 'vitest'
import { keyOfTable, unlistedCombination } from '../../setup/distribution.ts'
import { root } from '../../setup/runningService.ts'
import { readSources } from '../../setup/sources.ts'

const STATEMENT = /sql`((?:[^`\\]|\\.)*)`/gs
const TABLE = /\b(?:from|join|into|update|using)\s+(\w+)/g

const tablesIn = (statement: string): string[] =>
  [...statement.matchAll(TABLE)].flatMap(([, name = '']) => (keyOfTable.has(name) ? [name] : []))

const statements = readSources(root, 'server')
  .filter(({ path }) => !path.includes('/migrations/'))
  .flatMap(({ path, text }) => [...text.matchAll(STATEMENT)].map(([, statement = '']) => ({ path, statement })))

test('no statement combines split tables that the guide does not list', () => {
  const unlisted = statements.flatMap(({ path, statement }) => {
    const combined = unlistedCombination(tablesIn(statement))
    return combined === null ? [] : [`${path}: ${combined}`]
  })
  expect(unlisted).toEqual([])
  expect(statements.length).toBeGreaterThan(300)
})

test('what the test would find', () => {
  const statement = 'delete from messages where hash in (select hash from nft_items join accounts on true)'
  expect(unlistedCombination(tablesIn(statement))).toBe('accounts + messages + nft_items')
})
