// Bodies a few cells large that claim answers of any size: their cells are seen from many places.

import {
  Address,
  beginCell as begin,
  type Cell as CoreCell,
  Dictionary,
  internal,
  storeMessageRelaxed,
} from '@ton/core'
import { describe, expect, test } from 'vitest'
import { type Cell, readBoc } from '../../../server/cell/index.ts'
import { DecodeBudget, decodeBody } from '../../../server/decode/index.ts'

const ours = (cell: CoreCell): Cell => readBoc(cell.toBoc())
const owner = Address.parse(`0:${'AB'.repeat(32)}`)
const comment = (text: string) => begin().storeUint(0, 32).storeStringTail(text).endCell()
const odd = (refs: readonly CoreCell[]) => refs.reduce((b, ref) => b.storeRef(ref), begin().storeUint(7, 32)).endCell()

const message = (body: CoreCell) =>
  begin()
    .store(storeMessageRelaxed(internal({ to: owner, value: 1n, body })))
    .endCell()

const currencies = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
for (let i = 0; i < 1000; i++) currencies.set(i * 4_000_000, BigInt(i))
const manyCurrencies = begin()
  .storeUint(0b010000, 6)
  .storeAddress(owner)
  .storeCoins(1)
  .storeDict(currencies)
  .storeUint(0, 106)
  .endCell()

/** A request of a wallet v5 that sends the same message `count` times over. */
function request(sent: CoreCell, count = 255): CoreCell {
  let list = begin().endCell()
  for (let i = 0; i < count; i++)
    list = begin().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(sent).endCell()
  const head = begin().storeUint(0x7369676e, 32).storeUint(0, 96).storeMaybeRef(list).storeBit(0)
  return head.storeBuffer(Buffer.alloc(64)).endCell()
}

/** Forks all the way down, both ways the same: as many entries as there are keys. */
function everyKey(keyBits: number, value: CoreCell): CoreCell {
  let fork = begin().storeUint(0b00, 2).storeSlice(value.beginParse()).endCell()
  for (let i = 0; i < keyBits; i++) fork = begin().storeUint(0b00, 2).storeRef(fork).storeRef(fork).endCell()
  return fork
}

/** Each cell seen twice from the one above it. */
function halves(depth: number, leaf: CoreCell): CoreCell {
  let cell = leaf
  const upgrade = begin().storeUint(0x2508d66a, 32).storeUint(0, 64)
  for (let i = 0; i < depth; i++) cell = begin().storeBuilder(upgrade).storeRef(cell).storeRef(cell).endCell()
  return cell
}

function wide(cells: number): CoreCell {
  let row = Array.from({ length: cells }, (_, i) => begin().storeUint(i, 64).endCell())
  while (row.length > 1)
    row = Array.from({ length: Math.ceil(row.length / 4) }, (_, i) => odd(row.slice(4 * i, 4 * i + 4)))
  return row[0] ?? begin().endCell()
}

/** Its signature is of no operation. */
const highload = (dictionary: CoreCell) =>
  begin().storeBuffer(Buffer.alloc(64, 9)).storeUint(0, 96).storeMaybeRef(dictionary).endCell()

/** Of this process, since others may keep it waiting. */
function cpuMs(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  return process.cpuUsage(start).user / 1000
}

const BOMBS: Readonly<Record<string, () => CoreCell>> = {
  'a thousand currencies in each of 255 messages': () => request(manyCurrencies),
  'a long comment in each of 255 messages': () => request(message(comment('a'.repeat(25_000)))),
  'a large payload in each of 255 messages': () => request(message(wide(3000))),
  'messages under every key of a dictionary': () =>
    highload(
      everyKey(
        16,
        begin()
          .storeUint(3, 8)
          .storeRef(message(comment('a')))
          .endCell(),
      ),
    ),
  'every currency there could be': () =>
    begin()
      .storeUint(0x706c7567, 32)
      .storeUint(0, 64)
      .storeCoins(1)
      .storeMaybeRef(everyKey(32, begin().storeUint(0, 5).endCell()))
      .endCell(),
  'payloads in payloads': () => halves(30, begin().storeUint(1, 32).endCell()),
  'requests in messages of requests': () => request(message(request(message(request(message(comment('a')))), 40)), 40),
  'a bag of very many cells': () => halves(1, wide(20_000)),
}

describe('what a body says is bounded', () => {
  test.each(Object.entries(BOMBS))('%s', (_, make) => {
    const body = ours(make())
    const took = Math.min(...Array.from({ length: 5 }, () => cpuMs(() => decodeBody(body))))
    const decoded = decodeBody(body)
    expect(took).toBeLessThan(150)
    expect(JSON.stringify(decoded).length).toBeLessThan(2_000_000)
  })

  test('a wallet that sends 255 payloads with a comment each is reported in full', () => {
    const transfer = begin().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).storeCoins(1).storeAddress(owner)
    const body = transfer.storeAddress(null).storeBit(0).storeCoins(1).storeBit(1).storeRef(comment('paid')).endCell()
    expect(JSON.stringify(decodeBody(ours(request(message(body))))).match(/"paid"/g)).toHaveLength(255)
  })

  test('of payouts that say too much the messages are reported, with their bodies as bags of cells', () => {
    const mark = (i: number, text: string) => begin().storeUint(i, 32).storeStringTail(text).endCell()
    const init = { code: odd([mark(1, 'c'.repeat(500)), mark(2, 'd'.repeat(200))]), data: mark(3, 'e'.repeat(300)) }
    const deployed = internal({ to: owner, value: 5n, init, body: comment('paid') })
    const one = begin()
      .storeUint(3, 8)
      .storeRef(begin().store(storeMessageRelaxed(deployed)).endCell())
      .endCell()
    const messages = Dictionary.empty(Dictionary.Keys.Uint(16), {
      serialize: (cell: CoreCell, to) => void to.storeSlice(cell.beginParse()),
      parse: () => one,
    })
    for (let i = 0; i < 163; i++) messages.set(i, one)
    const payouts = begin().storeBuffer(Buffer.alloc(64, 9)).storeUint(0, 96).storeDict(messages).endCell()
    const decoded = decodeBody(ours(payouts))
    const sent = { dest: { address: 'AB'.repeat(32) }, value: { grams: { amount: { value: '5' } } } }
    const raw = comment('paid').toBoc({ idx: false, crc32: true }).toString('base64')
    const message = { cell_reference: { info: sent, body: { value: raw } } }
    expect(decoded).toMatchObject({ '@type': 'highload_wallet_signed_v2', msgs: { 0: { message }, 162: { message } } })
    expect(JSON.stringify(decoded).length).toBeLessThan(700_000)
  })

  test('a dictionary of very many entries stays a bag of cells; what is around it is reported', () => {
    const binsOf = (count: number) => {
      const bins = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Int(32))
      for (let i = 0; i < count; i++) bins.set(i, i)
      return bins
    }
    const burnt = (count: number) => {
      const head = begin().storeUint(0x73403c43, 32).storeUint(7, 64).storeDict(binsOf(count))
      return decodeBody(ours(head.storeMaybeRef(comment('burnt')).endCell()))
    }
    expect(burnt(1000)).toMatchObject({ tokens_to_burn: { 0: '0', 999: '999' } })
    for (const count of [1001, 3000]) {
      const { tokens_to_burn: bag, ...around } = burnt(count) ?? {}
      expect(around).toMatchObject({ '@type': 'bidask_burn', query_id: '7' })
      const read = readBoc(Buffer.from(String(bag), 'base64'))
      expect(read.hash()).toEqual(ours(begin().storeDictDirect(binsOf(count)).endCell()).hash())
    }
  })

  test('the longest comment a message can carry is reported in full', () => {
    const text = 'a'.repeat(60_000)
    expect(decodeBody(ours(comment(text)))).toEqual({ '@type': 'text_comment', text })
  })

  test('a long comment counts in each message that it is seen from', () => {
    const sent = message(comment('a'.repeat(25_000)))
    const told = (count: number) =>
      JSON.stringify(decodeBody(ours(request(sent, count)))).match(/text_comment/g)?.length
    expect(told(5)).toBe(5)
    expect(told(15)).toBeUndefined()
  })

  test('all bodies of a request have one bound together, which those before have spent', () => {
    const list = request(message(comment('a')), 100)
    const costly = ours(list)
    const cheap = ours(comment('a'))
    const budget = DecodeBudget.ofRequest()
    const isTold = () => decodeBody(costly, budget) !== null
    expect(isTold()).toBe(true)
    let decoded = 1
    while (decoded < 1000 && isTold()) decoded++
    expect(decoded).toBeLessThan(1000)
    // Nothing is left for others of the request, everything for another request.
    for (const body of [cheap, costly]) {
      expect(decodeBody(body, budget)).toBeNull()
      expect(decodeBody(body, DecodeBudget.ofRequest())).not.toBeNull()
    }
  })
})
