// Decoding through the service: names of operations and bodies, by GET and by POST.

import { beginCell, Cell } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { ask, post, queryOf, rpc, STRICT } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve())
const PATH = '/api/v3/decode'
const get = (params: object) => ask(service(), PATH + queryOf({ ...params }))
const hello = beginCell().storeUint(0, 32).storeStringTail('Hello!').endCell().toBoc()
const said = { '@type': 'text_comment', text: 'Hello!' }

describe('operations', () => {
  test('in hex, with 0x or without, and in decimal', async () => {
    const opcodes = ['0x0', '0f8a7ea5', '0X0F8A7EA5', '260734629', '4294967295', '-1', '0x12345678']
    const { status, body } = await get({ opcodes })
    const transfer = 'jetton_transfer'
    expect([status, body]).toEqual([
      200,
      { opcodes: ['text_comment', transfer, transfer, transfer, 'bounce', 'bounce', 'unknown'], bodies: [] },
    ])
  })

  test('digits that fit 32 bits as hex are hex', async () => {
    expect((await get({ opcodes: '00000015' })).body.opcodes).toEqual(['minter_jetton_mint'])
  })

  test('error: no operation', async () => {
    for (const text of ['', 'xyz', '0x123456789', '99999999999', '1.5']) {
      const { status, body } = await get({ opcodes: ['0', text] })
      expect([status, body]).toEqual([422, { error: `invalid opcode format at index 1: ${text}` }])
    }
  })
})

describe('bodies', () => {
  test('in base64 and in hex, each at its place', async () => {
    const bodies = [hello.toString('base64'), hello.toString('hex'), 'te6', 'zz', 'b5ee9c72', 'ff'.repeat(20)]
    const { status, body } = await post(service(), PATH, { bodies })
    const reason = (text: RegExp) => ({ error: expect.stringMatching(text) })
    expect([status, body]).toEqual([
      200,
      {
        opcodes: [],
        bodies: [
          said,
          said,
          reason(/^unknown: failed to decode base64/),
          reason(/^unknown: failed to decode hex/),
          reason(/^unknown: boc is too small, size 4$/),
          reason(/^unknown: failed to deserialize boc/),
        ],
      },
    ])
  })

  test('that say far more than they hold, many in one request', async () => {
    const text = beginCell().storeUint(0, 32).storeStringTail('a'.repeat(50_000)).endCell()
    const upgrade = (inner: Cell) => beginCell().storeUint(0x2508d66a, 32).storeUint(0, 64).storeRef(inner)
    let bomb = text
    for (let i = 0; i < 9; i++) bomb = upgrade(bomb).storeRef(bomb).endCell()
    const bodies: string[] = Array(12).fill(bomb.toBoc().toString('base64'))
    type Bag = { readonly cell_reference: string }
    const { body } = await post(service(), PATH, { bodies })
    const answer = body.bodies as ({ readonly new_data: Bag; readonly new_code: Bag } | { readonly error: string })[]
    // What is in them stays a bag of cells, until the request has used up what it may.
    const outlines = answer.flatMap((one) => ('error' in one ? [] : [one.new_data, one.new_code]))
    const inside = outlines.map((bag) => Cell.fromBase64(bag.cell_reference))
    expect(inside.length).toBeGreaterThan(0)
    expect(inside.every((cell) => bomb.refs.every((ref) => ref.equals(cell)))).toBe(true)
    expect(answer.at(-1)).toEqual({ error: 'unknown: no parser succeeded' })
    expect(JSON.stringify(answer).length).toBeLessThan(3 * bodies.join('').length)
  })

  test('of an unknown scheme', async () => {
    const body = beginCell().storeUint(0x12345678, 32).endCell().toBoc().toString('base64')
    expect((await post(service(), PATH, { bodies: [body] })).body.bodies).toEqual([
      { error: 'unknown: no parser succeeded' },
    ])
  })
})

describe('requests', () => {
  test('GET, POST and JSON-RPC answer the same', async () => {
    const params = { opcodes: ['0x0'], bodies: [hello.toString('base64')] }
    const answers = [(await get(params)).body, (await post(service(), PATH, params)).body]
    answers.push((await rpc(service(), STRICT, 'v3.decode', params)).body.result as (typeof answers)[number])
    for (const answer of answers) expect(answer).toEqual({ opcodes: ['text_comment'], bodies: [said] })
  })

  test('without anything', async () => {
    for (const given of [{}, { opcodes: null, bodies: null }])
      expect((await post(service(), PATH, given)).body).toEqual({ opcodes: [], bodies: [] })
  })

  test('error: lists over 1000', async () => {
    for (const what of ['opcodes', 'bodies']) {
      const { status, body } = await post(service(), PATH, { [what]: Array(1001).fill('0') })
      expect([status, body]).toEqual([422, { error: `${what} list exceeds maximum length of 1000` }])
    }
  })

  test('error: no JSON', async () => {
    expect((await post(service(), PATH, 'opcodes=0x0')).status).toBe(422)
  })
})
