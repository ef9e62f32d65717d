// Configuration and public libraries of the embedded chain through the service.

import { beginCell, Cell, Dictionary } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { ask, post, rpc, TONCENTER } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ config: { mining: 'manual' } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

describe('getConfigParam', () => {
  const cellOf = async (params: Parameters<ReturnType<typeof client>['getConfigParam']>[0]) =>
    Cell.fromBase64((await client().getConfigParam(params)).config.bytes)

  test('a parameter, under either name, at any block', async () => {
    const elector = await cellOf({ param: 1 })
    expect(elector.beginParse().loadBuffer(32).toString('hex')).toBe('33'.repeat(32))
    expect((await cellOf({ config_id: 1 })).equals(elector)).toBe(true)
    expect((await cellOf({ param: 1, config_id: 0 })).equals(elector)).toBe(true)
    expect((await cellOf({ param: 1, seqno: 1 })).equals(elector)).toBe(true)
    expect((await cellOf({ param: 0 })).beginParse().loadBuffer(32).toString('hex')).toBe('55'.repeat(32))
  })

  test('one that is not set is empty text', async () => {
    const { body, status } = await rpc(service(), TONCENTER, 'getConfigParam', { config_id: 1_000_000 })
    expect([status, body.result]).toEqual([200, { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: '' } }])
  })

  test('which one has to be said', async () => {
    for (const query of [
      '',
      '?seqno=1',
      '?param=-1',
      '?config_id=-1',
      '?param=x',
      '?param=1&seqno=0',
      '?param=4294967296',
    ])
      expect([query, (await ask(service(), `/api/v2/getConfigParam${query}`)).status]).toEqual([query, 422])
    const { body } = await post(service(), '/api/v2/getConfigParam', {})
    expect(body.error).toMatch(/only one of config_id or param should be specified$/)
    expect((await ask(service(), '/api/v2/getConfigParam?param=1&seqno=99999999')).status).toBe(500)
  })
})

test('getConfigAll is a dictionary of the same cells', async () => {
  const all = Cell.fromBase64((await client().getConfigAll()).config.bytes)
  const values = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), all)
  expect(values.keys()).toEqual(expect.arrayContaining([0, 1, 12, 15, 34]))
  for (const param of values.keys().slice(0, 6)) {
    const { bytes } = (await client().getConfigParam({ param })).config
    expect(values.get(param)?.equals(Cell.fromBase64(bytes))).toBe(true)
  }
  expect((await ask(service(), '/api/v2/getConfigAll?seqno=0')).status).toBe(422)
  expect((await ask(service(), '/api/v2/getConfigAll?seqno=99999999')).status).toBe(500)
})

describe('getLibraries', () => {
  const libraries = [1, 2, 3].map((number) => beginCell().storeUint(number, 32).endCell())

  /** A masterchain contract that publishes whatever stands behind the body of an external message. */
  async function publish() {
    // DROP ACCEPT PLDREF 2 PUSHINT SETLIBCODE
    const code = beginCell().storeBuffer(Buffer.from('30f800d74c72fb06', 'hex')).endCell()
    const hash = 'ab'.repeat(32)
    const text = (cell: Cell) => cell.toBoc().toString('base64')
    const account = { address: `-1:${hash}`, balance: '100000000000', code: text(code), data: text(Cell.EMPTY) }
    await client().dev.setAccount(account)
    await client().dev.mine({ blocks: 1 })
    for (const library of libraries) {
      const message = beginCell().storeUint(0b1000, 4).storeUint(0b100, 3).storeInt(-1, 8)
      message.storeBuffer(Buffer.from(hash, 'hex')).storeCoins(0).storeBit(0).storeBit(0).storeRef(library)
      await client().sendBoc({ boc: text(message.endCell()) })
      await client().dev.mine({ blocks: 1 })
    }
  }

  test('those that exist, once each, in the order of their hashes', async () => {
    await publish()
    const hashes = libraries.map((library) => library.hash().toString('hex'))
    const requested = [...hashes, '00'.repeat(32), ...hashes.map((hash) => hash.toUpperCase())]
    const { result } = await client().getLibraries({ libraries: requested })
    const sorted = [...libraries].sort((a, b) => Buffer.compare(a.hash(), b.hash()))
    expect(result.map(({ hash }) => hash)).toEqual(sorted.map((library) => library.hash().toString('base64')))
    expect(result.map(({ data }) => Cell.fromBase64(data).equals(sorted[0] ?? Cell.EMPTY))).toEqual([
      true,
      false,
      false,
    ])
    const query = hashes.map((hash) => `libraries=${hash}`).join('&')
    expect((await ask(service(), `/api/v2/getLibraries?${query}`)).body.result).toMatchObject({ result })
  })

  test('nothing requested, nothing found', async () => {
    expect(await client().getLibraries()).toEqual({ '@type': 'smc.libraryResult', result: [] })
    expect((await ask(service(), '/api/v2/getLibraries')).status).toBe(200)
  })

  test('sixteen at most, and hashes only', async () => {
    const hashes = Array.from({ length: 17 }, (_, i) => i.toString(16).padStart(64, '0'))
    expect((await client().getLibraries({ libraries: hashes.slice(1) })).result).toEqual([])
    const many = await post(service(), '/api/v2/getLibraries', { libraries: hashes })
    expect(many.status).toBe(500)
    expect(many.body.error).toMatch(/^INVALID_FIELD: .*16 maximum$/)
    for (const libraries of ['zz', ['zz'], [5], 7, {}])
      expect((await post(service(), '/api/v2/getLibraries', { libraries })).status).toBe(422)
  })
})
