// A list as a file: whatever a stranger wrote, a spreadsheet computes nothing from it.

import { expect, test } from 'vitest'
import { type CsvCell, csvOf } from '../../../client/explorer/account/csv.ts'

const lineOf = (cell: CsvCell): string => csvOf([[cell]]).slice(1, -2)

test.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['a "quoted", text', '"a ""quoted"", text"'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-5', `"'-5"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['  =1', `"'  =1"`],
  [' \t=1', `" \t'=1"`],
  ['＝1', `"'＝1"`],
  ["=cmd|' /C calc'!A0", `"'=cmd|' /C calc'!A0"`],
  // Where cells end with these, the quotes around them are none.
  ['fine;=1+1', `"fine;'=1+1"`],
  ['fine\n=1', `"fine\n'=1"`],
  ['1=1', '"1=1"'],
])('the text %j is %j', (text, written) => {
  expect(lineOf(text)).toBe(written)
})

test.each([
  ['-0.5', '-0.5'],
  [12n ** 20n, '3833759992447475122176'],
  [0, '0'],
])('the number %s is computed with', (number, written) => {
  expect(lineOf({ number })).toBe(written)
})

test('lines end as spreadsheets write them, behind a mark of the encoding', () => {
  expect(
    csvOf([
      ['a', 'б'],
      [{ number: 1 }, ''],
    ]),
  ).toBe('\ufeff"a","б"\r\n1,""\r\n')
})
