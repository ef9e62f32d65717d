import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlGet, curlPost, queryText, shellQuote } from '../../../../server/docs/pages/curl.ts'
import { NASTY } from '../awkward.ts'

test('a list is a repeated name, an object is JSON, nothing is left out silently', () => {
  expect(queryText({ id: ['a b', 'c&d'], flag: false, at: { x: 1 }, gone: undefined })).toBe(
    '?id=a+b&id=c%26d&flag=false&at=%7B%22x%22%3A1%7D',
  )
  expect(curlGet('http://h/p', {})).toBe("curl 'http://h/p'")
})

test.skipIf(process.platform === 'win32')('a shell reads back what was quoted', () => {
  const text = `${NASTY} $HOME \`id\` \\ "\n'`
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellQuote(text)}`]).toString()).toBe(text)
  const words = curlPost('http://h/p', { text }).replace(/^curl/, "printf '%s\\n'")
  const printed = execFileSync('/bin/sh', ['-c', words]).toString().trimEnd().split('\n')
  expect(printed).toEqual(['http://h/p', '-H', 'Content-Type: application/json', '-d', JSON.stringify({ text })])
})
