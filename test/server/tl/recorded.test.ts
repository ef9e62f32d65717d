// Requests to lite servers of the public C++ node and their answers: decoded and encoded again, byte for byte.

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeRefusal,
  encodeRequest,
  type TlRequest,
  unwrapQuery,
  wrapQuery,
} from '../../../server/tl/index.ts'

interface Recorded {
  readonly answers: readonly (readonly [request: string, answer: string])[]
}

const sessions = ['cpp-session', 'cpp-session-switch'].map((name): [string, Recorded] => [
  name,
  JSON.parse(
    gunzipSync(readFileSync(new URL(`../../fixtures/network/${name}.json.gz`, import.meta.url))).toString('utf8'),
  ),
])

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function encodedAgain({ name }: TlRequest, answer: Uint8Array): Uint8Array {
  const decoded = decodeAnswer(name, answer)
  return decoded.refusal ? encodeRefusal(decoded.refusal) : encodeAnswer(name, decoded.answer)
}

describe.each(sessions)('%s', (_, { answers }) => {
  test('requests', () => {
    for (const [text] of answers) {
      const bytes = Buffer.from(text, 'base64')
      const { name, value } = decodeRequest(bytes)
      expect(hex(encodeRequest(name, value))).toBe(bytes.toString('hex'))
      const wrapped = wrapQuery(bytes, { seqno: 7, timeout_ms: 10_000 })
      const { wait, request } = unwrapQuery(wrapped)
      expect([wait, hex(request)]).toEqual([{ seqno: 7, timeout_ms: 10_000 }, bytes.toString('hex')])
    }
  })

  test('answers and refusals', () => {
    for (const [request, text] of answers) {
      const bytes = Buffer.from(text, 'base64')
      expect(hex(encodedAgain(decodeRequest(Buffer.from(request, 'base64')), bytes))).toBe(bytes.toString('hex'))
    }
  })

  test('an answer that is cut anywhere is refused, one that goes on too', () => {
    const kinds = new Map(
      answers.map(([request, answer]) => [request.slice(0, 5) + answer.slice(0, 5), [request, answer]]),
    )
    for (const [request = '', answer = ''] of kinds.values()) {
      const { name } = decodeRequest(Buffer.from(request, 'base64'))
      const bytes = Buffer.from(answer, 'base64')
      for (let end = 0; end < bytes.length; end += end < 600 ? 4 : 2000) {
        expect(() => decodeAnswer(name, bytes.subarray(0, end))).toThrow(/^Not enough data|^Wrong vector length/)
      }
      expect(() => decodeAnswer(name, Buffer.concat([bytes, Buffer.alloc(4)]))).toThrow(
        `Too much data to fetch at ${bytes.length}`,
      )
    }
  })
})
