import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Answers,
  decodeAnswer,
  decodePacket,
  decodeRequest,
  encodeAnswer,
  encodePacket,
  encodeRefusal,
  encodeRequest,
  type FunctionName,
  type Packet,
  type Requests,
  TlError,
  unwrapQuery,
  wrapQuery,
} from '../../../server/tl/index.ts'
import { parseLine } from '../../../server/tl/tlGrammar.ts'
import { functionLines } from '../../../server/tl/tlSchema.ts'
import { fieldsOf, resultOf } from './randomValues.ts'

const functions = functionLines.map(parseLine).map((line) => ({
  line,
  name: line.name.replace('liteServer.', '') as FunctionName,
}))

describe.each(functions)('$name', ({ name, line }) => {
  test('whatever fits is read as it was written', () => {
    fc.assert(
      fc.property(fieldsOf(line), resultOf(line.result), (request, answer) => {
        const bytes = encodeRequest(name, request as Requests[typeof name])
        expect(decodeRequest(bytes)).toEqual({ name, value: request })
        expect(decodeAnswer(name, encodeAnswer(name, answer as Answers[typeof name]))).toEqual({ answer })
      }),
      { numRuns: 30 },
    )
  })

  test('error: whatever is changed gives a value or a TlError', () => {
    const hit = fc.record({ at: fc.nat(), to: fc.nat({ max: 255 }) })
    fc.assert(
      fc.property(
        resultOf(line.result),
        fc.array(hit, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        (answer, hits, cut) => {
          const bytes = encodeAnswer(name, answer as Answers[typeof name])
          for (const { at, to } of hits) bytes[at % bytes.length] = to
          const read = () => decodeAnswer(name, bytes.subarray(0, 1 + (cut % bytes.length)))
          expect(outcome(read)).toMatch(/^value$|^TlError$/)
        },
      ),
    )
  })
})

function outcome(read: () => unknown): string {
  try {
    read()
    return 'value'
  } catch (error) {
    return error instanceof TlError ? 'TlError' : String(error)
  }
}

test('packets', () => {
  const packets = fc.oneof(...['tcp.Pong', 'tcp.Message', 'adnl.Message'].map(resultOf))
  fc.assert(
    fc.property(packets, (packet) => {
      expect(decodePacket(encodePacket(packet as Packet))).toEqual(packet)
    }),
  )
})

test.each([0, 1, 2, 3, 4, 252, 253, 254, 255, 256, 70_000])(
  'memory: a packet with %i bytes holds its own size',
  (length) => {
    const query_id = new Uint8Array(32).fill(1)
    const data = new Uint8Array(length).fill(2)
    const room = { before: 36, after: 32 }
    for (const packet of [
      { '@type': 'adnl.message.query', query_id, query: data },
      { '@type': 'adnl.message.answer', query_id, answer: data },
    ] as const) {
      const bytes = encodePacket(packet, room)
      expect(bytes.buffer.byteLength).toBe(bytes.length)
      expect(decodePacket(bytes.subarray(room.before, -room.after))).toEqual(packet)
    }
  },
)

test('memory: queries lie next to each other, and each stays as it was written', () => {
  const numbers = Array.from({ length: 500 }, (_, i) => i)
  const queries = numbers.map((seqno) =>
    wrapQuery(new Uint8Array(seqno % 200).fill(seqno), { seqno, timeout_ms: seqno }),
  )
  for (const [i, query] of queries.entries())
    expect(unwrapQuery(query)).toEqual({
      wait: { seqno: i, timeout_ms: i },
      request: new Uint8Array(i % 200).fill(i),
    })
  expect(new Set(queries.map(({ buffer }) => buffer)).size).toBeLessThan(numbers.length / 20)
})

test('error: bytes at random', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      for (const read of [decodePacket, decodeRequest, unwrapQuery]) {
        expect(outcome(() => read(bytes))).toMatch(/^value$|^TlError$/)
      }
      for (const { name } of functions) expect(outcome(() => decodeAnswer(name, bytes))).toMatch(/^value$|^TlError$/)
    }),
  )
})

describe('refusals', () => {
  test('come in place of any answer', () => {
    const refusal = { code: -400, message: 'cannot load block: \u00e4\ufeff' }
    for (const { name } of functions) expect(decodeAnswer(name, encodeRefusal(refusal))).toEqual({ refusal })
  })

  test('those of a proxy too', () => {
    const bytes = Buffer.from(`559c2e09${'e4000000'}04${Buffer.from('busy').toString('hex')}000000`, 'hex')
    expect(decodeAnswer('getTime', bytes)).toEqual({ refusal: { code: 228, message: 'busy' } })
  })
})

describe('wrapping', () => {
  const request = encodeRequest('getTime', {})

  test('as on the wire', () => {
    expect(Buffer.from(wrapQuery(request)).toString('hex')).toBe('df068c7904345aad16000000')
  })

  test('a wait with nothing behind it', () => {
    const bytes = wrapQuery(new Uint8Array(), { seqno: 5, timeout_ms: 700 })
    const { wait, request } = unwrapQuery(bytes)
    expect(wait).toEqual({ seqno: 5, timeout_ms: 700 })
    expect(() => decodeRequest(request)).toThrow('Not enough data to read at 0')
  })

  test('the prefix form, with and without a wait', () => {
    const prefix = '86e6d372'
    const wait = `92b8eaba${'05000000'}${'bc020000'}`
    expect(unwrapQuery(Buffer.from(`${prefix}345aad16`, 'hex'))).toEqual({ wait: null, request })
    expect(unwrapQuery(Buffer.from(`${prefix}${wait}345aad16`, 'hex'))).toEqual({
      wait: { seqno: 5, timeout_ms: 700 },
      request,
    })
  })

  test('error: a wait that is cut is no function', () => {
    const { wait, request } = unwrapQuery(wrapQuery(Buffer.from('92b8eaba05000000', 'hex')))
    expect(wait).toBeNull()
    expect(() => decodeRequest(request)).toThrow('Not enough data to read at 8')
  })

  test.each(['', 'df068c', '345aad16', 'df068c7904345aad1600000000000000', 'df068c79ff00000000000000'])(
    'error: %s is no query',
    (text) => expect(() => unwrapQuery(Buffer.from(text, 'hex'))).toThrow(TlError),
  )
})
