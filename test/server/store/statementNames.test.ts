// Which texts of statements get names, and how many texts are counted for that.

import { expect, test } from 'vitest'
import { StatementNames } from '../../../server/store/statementNames.ts'

const OWN = 'select 1'

function usedTwice(): StatementNames {
  const names = new StatementNames({ most: 2, replaces: true })
  names.nameOf(OWN)
  names.nameOf(OWN)
  return names
}

test('default', () => {
  const names = usedTwice()
  expect(names.nameOf(OWN)).toBe('s0')
  expect(names.nameOf(OWN)).toBe('s0')
})

test('behavior: the texts that are counted are bounded by their characters, and a name outlasts that', () => {
  const unnamed = usedTwice()
  const named = usedTwice()
  named.nameOf(OWN)
  // As of lists with another number of accounts, and another filter, in each call.
  const list = 'x'.repeat(20_000)
  for (let i = 0; i < 500; i++) for (const names of [unnamed, named]) names.nameOf(`${list} ${i}`)
  expect(unnamed.nameOf(OWN)).toBeNull()
  expect(named.nameOf(OWN)).toBe('s0')
})
