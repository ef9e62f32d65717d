// Fields that several interfaces of the client have are declared once.

import { expect, test } from 'vitest'
import { interfaceTexts } from '../../../server/docs/clientTypes/sharedFields.ts'

const field = (name: string): string => `/**What ${name} is.*/\n ${name}: string\n`
/** Declaring it once saves most. */
const hash = `/**What is hashed, ${'said at length, '.repeat(20)}and how.*/\n hash: string\n`

test('also where some of them are shared with more interfaces than the rest', () => {
  const rest = ['amount', 'sender', 'receiver', 'comment'].map(field)
  const texts = interfaceTexts([
    { name: 'Sent', words: '', fields: [hash, ...rest, field('fee')] },
    { name: 'Received', words: '', fields: [hash, ...rest] },
    { name: 'Block', words: '', fields: [hash, field('seqno')] },
    { name: 'Trace', words: '', fields: [hash, field('depth')] },
  ])
  expect(texts).toEqual([
    `interface WithHash {\n${hash}}\n`,
    `interface WithAmount {\n${rest.join('')}}\n`,
    `export interface Sent extends WithHash, WithAmount {\n${field('fee')}}\n`,
    'export interface Received extends WithHash, WithAmount {\n}\n',
    `export interface Block extends WithHash {\n${field('seqno')}}\n`,
    `export interface Trace extends WithHash {\n${field('depth')}}\n`,
  ])
})
