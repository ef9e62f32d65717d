// What a person types as arguments of a get-method.

import { expect, test } from 'vitest'
import { entryOf } from '../../../client/explorer/account/argumentValues.ts'

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const taken = entryOf({ kind: 'address', text: ADDRESS })

test.each([
  ['with a character that is not seen', `${ADDRESS}\u200b`],
  ['in quotes', `"${ADDRESS}"`],
  ['broken over two lines', `${ADDRESS.slice(0, 20)}\n${ADDRESS.slice(20)}`],
  ['as the address of a page about it', `https://tonviewer.com/${ADDRESS}`],
])('an address that is pasted %s is the same one', (_, text) => {
  expect(entryOf({ kind: 'address', text })).toEqual(taken)
})

test('what names no address is refused with its words', () => {
  expect(() => entryOf({ kind: 'address', text: 'alice.ton' })).toThrow('“alice.ton” is no address.')
})
