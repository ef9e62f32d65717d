// Names and ABIs that a service is given: by calls, which outlive a restart, and by files, which may change.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openAbiBook } from '../../server/app/abi/openAbiBook.ts'
import { beginCell, writeBoc } from '../../server/cell/index.ts'
import { abiHandlers, nameHandlers } from '../../server/methods/abi/abis.ts'
import { AbiBook } from '../../server/methods/index.ts'
import { parseAbi } from '../../shared/abi/parseAbi.ts'
import { devNames } from '../../shared/devNames.ts'
import { abisV3 } from '../../shared/v3/abis.ts'
import { ask, post, rpc, STRICT } from '../setup/calls.ts'
import { type MemoryStore, openMemoryStore } from '../setup/memoryStore.ts'
import { serveMethods, type TestService } from '../setup/service.ts'

const CODE = beginCell().storeUint(0xc0de, 16).end()
const CODE_BOC = Buffer.from(writeBoc(CODE))
const HASH = Buffer.from(CODE.hash() as unknown as string, 'latin1')
const HASH_HEX = HASH.toString('hex')
const ADDRESS = `0:${'1A'.repeat(32)}`
const OTHER = `0:${'2B'.repeat(32)}`
const UNKNOWN = 'c9'.repeat(32)
const TLB = 'increase#7e8764ef query_id:uint64 = Msg;'

const TOLK = {
  contract_name: 'Lamp',
  unique_types: [
    { kind: 'uintN', n: 8 },
    { kind: 'StructRef', struct_name: 'Lit' },
  ],
  declarations: [
    { kind: 'struct', name: 'Lit', prefix: { prefix_num: 7, prefix_len: 32 }, fields: [{ name: 'by', ty_idx: 0 }] },
  ],
  thrown_errors: [
    { kind: 'constant', name: 'NO_OIL', err_code: 777 },
    { kind: 'plain_int', err_code: 5 },
  ],
  code_boc64: CODE_BOC.toString('base64'),
}

/** fetch does not let a caller choose its Host or Origin. */
const statusOf = (url: string, headers: Record<string, string>, body: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const warned = vi.fn()
// The cast: the book warns, and does nothing else with a log.
const log = { warn: warned } as unknown as Parameters<typeof openAbiBook>[1]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abis-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('by calls', () => {
  let service: TestService
  let store: MemoryStore
  beforeAll(async () => {
    store = await openMemoryStore()
    const book = new AbiBook()
    service = await serveMethods(
      {
        registry: { ...abisV3, ...devNames },
        handlers: () => ({ ...abiHandlers(book, store.read), ...nameHandlers(book) }),
      },
      { config: { limits: 'off' } },
    )
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await store.close()
  })
  const call = async (name: string, params: Record<string, unknown>) => {
    const { body } = await rpc(service, STRICT, name, params)
    return (body.error ?? body.result) as Record<string, unknown>
  }

  test('a name is given, replaced and removed; what reorders text is taken out', async () => {
    expect(await call('dev.setName', { address: ADDRESS, name: 'shop' })).toMatchObject({ names: 1 })
    await call('dev.setName', { address: ADDRESS, name: ' my\u202E <b>shop</b>\n' })
    expect(await call('v3.abis', { address: [ADDRESS] })).toEqual({ abis: [], names: { [ADDRESS]: 'my  <b>shop</b>' } })
    expect(await call('dev.setName', { address: ADDRESS, name: '' })).toMatchObject({ names: 0 })
  })

  test('an ABI of Tolk brings its code; the list leaves the texts out', async () => {
    expect(await call('dev.setAbi', { abi: TOLK })).toEqual({ names: 0, abis: 1 })
    const known = { name: 'Lamp', source: 'call', errors: { 777: 'NO_OIL' } }
    const [one] = (await call('v3.abis', {})).abis as Record<string, unknown>[]
    expect(one).toMatchObject({ ...known, abi: null })
    const { abis: found } = await call('v3.abis', { code_hash: [String(one?.code_hash)] })
    expect(found).toMatchObject([{ ...known, abi: JSON.stringify(TOLK) }])
    expect(await call('dev.setAbi', { code_hash: String(one?.code_hash), abi: '' })).toEqual({ names: 0, abis: 0 })
  })

  test.each([
    ['no hash of a code', { abi: TLB }, /code_hash is needed/],
    ['no ABI', { code_hash: 'ab'.repeat(32), abi: { name: 'x' } }, /is no ABI of Tact or Tolk/],
    ['JSON that is cut', { code_hash: 'ab'.repeat(32), abi: '{"types": [' }, /ends early/],
    ['types that miss', { code_hash: 'ab'.repeat(32), abi: { ...TOLK, unique_types: [] } }, /type number 0 is missing/],
    ['types without names', { code_hash: 'ab'.repeat(32), abi: { types: [{ header: 1 }] } }, /damaged/],
  ])('error: %s', async (_, params, words) => {
    expect(await call('dev.setAbi', params)).toMatchObject({ code: -32602, message: expect.stringMatching(words) })
  })

  describe('as deploy scripts of Acton give them', () => {
    const SECOND = 'b7'.repeat(32)
    const send = (path: string, value: unknown, headers = {}) => post(service, path, value, headers)
    const known = async () => (await call('v3.abis', {})) as unknown as { abis: unknown[]; names: unknown }
    const nothing = async () => {
      for (const code_hash of [HASH_HEX, SECOND]) await call('dev.setAbi', { code_hash, abi: '' })
      await call('dev.setName', { address: ADDRESS, name: '' })
    }
    beforeEach(nothing)

    test('a name and two ABIs, in its envelope; v3.abis has them', async () => {
      const done = { status: 200, body: { ok: true, result: null, '@extra': expect.any(String) } }
      expect(await send('/acton_setAddressName', { address: ADDRESS, name: 'treasury' })).toMatchObject(done)
      const entries = [
        { abi: { compiler_abi: { ...TOLK, code_boc64: undefined }, code_hashes: [SECOND] } },
        { abi: { ...TOLK, contract_name: 'Own' } },
      ]
      expect(await send('/acton_registerCompilerAbis', { entries })).toMatchObject(done)
      const { abis, names } = await known()
      expect(names).toEqual({ [ADDRESS]: 'treasury' })
      expect(abis).toMatchObject([
        { name: 'Lamp', source: 'call', code_hash: Buffer.from(SECOND, 'hex').toString('base64') },
        { name: 'Own', errors: { 777: 'NO_OIL' }, opcodes: { '0x00000007': 'Lit' } },
      ])
      const [one] = (await call('v3.abis', { code_hash: [SECOND] })).abis as { abi: string }[]
      // As the explorer reads it.
      expect(parseAbi(String(one?.abi))).toMatchObject({ name: 'Lamp', messages: [{ name: 'Lit', opcode: 7 }] })
    })

    test.each(['acton_registerCompilerAbis', 'acton_registerCompilerAbi'])('%s in the older form', async (name) => {
      const entries = [{ code_hash: SECOND.toUpperCase(), compiler_abi: TOLK }]
      expect(await send(`/${name}`, { entries })).toMatchObject({ body: { ok: true, result: null } })
      expect((await known()).abis).toHaveLength(1)
      expect((await rpc(service, STRICT, name, { entries: [] })).body).toMatchObject({ result: null })
    })

    test('its reads answer by the text that was asked with, with null for what is unknown', async () => {
      const friendly = 'EQAaGhoa'
      const small = ADDRESS.toLowerCase()
      await call('dev.setName', { address: ADDRESS, name: 'shop' })
      const query = new URLSearchParams([ADDRESS, small, OTHER].map((one) => ['address', one]))
      const names = { [ADDRESS]: 'shop', [small]: 'shop', [OTHER]: null }
      expect(await ask(service, `/acton_getAddressName?${query}`)).toMatchObject({
        status: 200,
        body: { ok: true, result: names, '@extra': expect.any(String) },
      })
      expect(await call('acton_getAddressName', { address: [friendly] })).toMatchObject({ code: -32602 })
      expect(await call('acton_getAddressName', { address: [] })).toEqual({})
    })

    test('an ABI is read back as it was given; those of Tact and TL-B have no form there', async () => {
      const given = { compiler_abi: TOLK, code_hashes: [SECOND, HASH_HEX], display_name: 'Lamp', links: [] }
      await send('/acton_registerCompilerAbis', { entries: [{ abi: given }] })
      const base64 = HASH.toString('base64')
      const query = new URLSearchParams([SECOND, base64, UNKNOWN].map((one) => ['code_hash', one]))
      const { status, body } = await ask(service, `/acton_getCompilerAbi?${query}`)
      expect([status, body]).toMatchObject([200, { ok: true, result: { [SECOND]: given, [base64]: given } }])
      expect((body.result as Record<string, unknown>)[UNKNOWN]).toBeNull()
      const read = async () => await call('acton_getCompilerAbi', { code_hash: [HASH_HEX] })
      await call('dev.setAbi', { abi: TOLK })
      expect(await read()).toEqual({ [HASH_HEX]: { compiler_abi: TOLK, code_hashes: [HASH_HEX], links: [] } })
      for (const abi of [TLB, { name: 'Box', types: [], errors: {} }]) {
        await call('dev.setAbi', { code_hash: HASH_HEX, abi })
        expect(await read()).toEqual({ [HASH_HEX]: null })
      }
    })

    test.each([
      ['no address', '/acton_getAddressName', /address/],
      ['an address that is none', '/acton_getAddressName?address=__proto__', /invalid address: '__proto__'/],
      ['a hash that is none', '/acton_getCompilerAbi?code_hash=x', /invalid hash: 'x'/],
      ['too many', `/acton_getCompilerAbi?${'code_hash=x&'.repeat(65)}`, /64/],
    ])('error: %s is refused in its envelope', async (_, path, words) => {
      const { status, body } = await ask(service, path)
      expect([status, body.ok, body.error]).toEqual([422, false, expect.stringMatching(words)])
    })

    test.each([
      ['an ABI without a code', { abi: { ...TOLK, code_boc64: undefined } }, /neither code_hashes nor the code/],
      ['a hash that is none', { abi: { compiler_abi: TOLK, code_hashes: [SECOND, 'x'] } }, /"x" is no hash/],
      ['a hash that is a number', { abi: { compiler_abi: TOLK, code_hashes: [7] } }, /7 is no hash/],
      ['an older one with a bad hash', { code_hash: '', compiler_abi: TOLK }, /"" is no hash/],
      ['nothing in it', {}, /needs abi/],
      ['both forms', { abi: TOLK, compiler_abi: TOLK }, /needs abi/],
      ['no ABI', { abi: { code_hashes: [SECOND] } }, /no ABI of Tact or Tolk/],
      ['types that miss', { abi: { ...TOLK, unique_types: [] } }, /type number 0 is missing/],
    ])('error: %s refuses all, by its place', async (_, bad, words) => {
      const entries = [{ abi: { compiler_abi: TOLK, code_hashes: [SECOND] } }, bad]
      const { status, body } = await send('/acton_registerCompilerAbis', { entries })
      expect([status, body.ok, body.error]).toEqual([422, false, expect.stringMatching(words)])
      expect(body.error).toMatch(/entries\[1\]: /)
      expect((await known()).abis).toEqual([])
    })

    test('error: more codes than are kept refuses all of them', async () => {
      const code_hashes = Array.from({ length: 501 }, (_, i) => i.toString(16).padStart(64, '0'))
      const entries = [{ abi: TOLK }, { abi: { compiler_abi: TOLK, code_hashes } }]
      expect(await send('/acton_registerCompilerAbis', { entries })).toMatchObject({ status: 422, body: { ok: false } })
      expect((await known()).abis).toEqual([])
    })

    test.each([
      ['a strange page', { origin: 'http://evil.example' }],
      ['a page that hides its origin', { 'sec-fetch-site': 'cross-site' }],
      ['a name that was made to point here', { host: 'evil.example' }],
      ['a caller behind a proxy', { 'x-forwarded-for': '127.0.0.1' }],
    ])('error: not for %s', async (_, headers) => {
      for (const [path, value] of [
        ['/acton_setAddressName', { address: ADDRESS, name: 'mine' }],
        ['/acton_registerCompilerAbis', { entries: [{ abi: TOLK }] }],
      ] as const) {
        // What a page can send without asking first.
        const sent = { ...headers, 'content-type': 'text/plain' }
        expect(await statusOf(`${service.url}${path}`, sent, JSON.stringify(value)), path).toBe(403)
      }
      expect(await known()).toMatchObject({ abis: [], names: {} })
    })

    test('error: a path that Acton has and this service has not is refused in its envelope, and so is GET', async () => {
      expect(await send('/acton_mine', {})).toMatchObject({ status: 404, body: { ok: false, code: 404 } })
      expect(await ask(service, '/acton_setAddressName')).toMatchObject({ status: 405, body: { ok: false } })
    })
  })

  test('error: more than are kept, and room again', async () => {
    const book = new AbiBook({ given: { names: {}, abis: [] } })
    const entry = { name: 'a', text: TLB, errors: {} }
    for (let i = 0; i < 500; i++) await book.setAbi(String(i), entry)
    await expect(book.setAbi('one more', entry)).rejects.toThrow(/500 ABIs.*remove some/)
    await book.setAbi('7', entry)
    await book.setAbi('7', null)
    await book.setAbi('one more', entry)
  })
})

describe('by files', () => {
  const hex = (fill: string) => fill.repeat(32)
  const open = async (files: Readonly<Record<string, string>>) => {
    const path = await mkdtemp(join(folder, 'files-'))
    await mkdir(join(path, 'build', 'node_modules'), { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
    return {
      path,
      book: await openAbiBook({ abi: path, network: 'devnet', data: join(folder, 'none'), reset: false }, log),
    }
  }

  test('of Blueprint, Tact, Tolk, Acton and TL-B, each by its code', async () => {
    const { book } = await open({
      'build/Only.compiled.json': JSON.stringify({ hash: hex('A1'), hex: '' }),
      'build/Counter.compiled.json': JSON.stringify({ hash: hex('a2'), hex: '' }),
      'build/Counter.tlb': TLB,
      'build/Box.pkg': JSON.stringify({
        name: 'Box',
        code: CODE_BOC.toString('base64'),
        abi: JSON.stringify({ name: 'Box', types: [], errors: { 777: { message: 'Full' } } }),
      }),
      'build/acton.json': JSON.stringify({ compiler_abi: TOLK, code_hashes: [hex('a3'), hex('A4')] }),
      'build/package.json': '{"types": "./index.d.ts"}',
      'build/node_modules/Ignored.compiled.json': JSON.stringify({ hash: hex('a5') }),
      'build/tsconfig.json': '{ // not JSON\n}',
    })
    const found = [...(await book.entries()).values()].map(({ codeHash, name, errors, text, source }) => [
      codeHash.slice(0, 2),
      name,
      errors[777] ?? null,
      text !== null,
      source,
    ])
    expect(found.sort()).toEqual(
      [
        ['a1', 'Only', null, false, 'file'],
        ['a2', 'Counter', null, true, 'file'],
        ['a3', 'Lamp', 'NO_OIL', true, 'file'],
        ['a4', 'Lamp', 'NO_OIL', true, 'file'],
        [HASH.length === 32 ? HASH.toString('hex').slice(0, 2) : expect.any(String), 'Box', 'Full', true, 'file'],
      ].sort(),
    )
  })

  test('hashes are read as hex of any case and as base64, whose case counts', async () => {
    const base64 = Buffer.from(hex('d1'), 'hex').toString('base64')
    const url = Buffer.from('fb'.repeat(32), 'hex').toString('base64url')
    const { book } = await open({
      'acton.json': JSON.stringify({ compiler_abi: TOLK, code_hashes: [base64, url, hex('D2')] }),
      'Counter.compiled.json': JSON.stringify({ hash: Buffer.from(hex('d3'), 'hex').toString('base64'), hex: '' }),
      'Counter.tlb': TLB,
    })
    expect([...(await book.entries()).keys()].sort()).toEqual([hex('d1'), hex('d2'), hex('d3'), 'fb'.repeat(32)])
  })

  test('error: a hash that is none is left out and logged, and what lies beside it is read', async () => {
    const { book, path } = await open({
      'Bad.json': JSON.stringify({ compiler_abi: TOLK, code_hashes: ['te6ccg'] }),
      'Cut.compiled.json': JSON.stringify({ hash: 'abc', hex: '' }),
      'Torn.compiled.json': '{',
      'Torn.code.boc': 'no cells',
      'Lamp.tlb': TLB,
      'Lamp.compiled.json': JSON.stringify({ hash: hex('e1') }),
    })
    warned.mockClear()
    const found = [...(await book.entries()).values()]
    expect(found.map(({ codeHash, text }) => [codeHash, text])).toEqual([[hex('e1'), TLB]])
    const said = warned.mock.calls.map(([{ path: file, why }]) => [file.slice(path.length + 1), why])
    expect(said).toHaveLength(3)
    expect(Object.fromEntries(said)).toEqual({
      'Bad.json': '"te6ccg" is no hash of a code',
      'Cut.compiled.json': '"abc" is no hash of a code',
      'Torn.code.boc': 'this is no bag of cells',
    })
  })

  test('error: one that is damaged is left out and logged; no path is refused', async () => {
    const { book, path } = await open({
      'build/Bad.abi': '{',
      'build/Good.compiled.json': JSON.stringify({ hash: hex('b1') }),
    })
    expect([...(await book.entries()).keys()]).toEqual([hex('b1')])
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ path: join(path, 'build/Bad.abi') }),
      'abi file skipped',
    )
    await expect(
      openAbiBook({ abi: join(path, 'none'), network: 'devnet', data: folder, reset: false }, log),
    ).rejects.toThrow(/no file or folder/)
  })

  test('error: a link that leads nowhere is logged, and what lies beside it is read', async () => {
    const { book, path } = await open({ 'Good.compiled.json': JSON.stringify({ hash: hex('b2') }) })
    await symlink(join(path, 'none'), join(path, 'Lost.abi'))
    warned.mockClear()
    expect([...(await book.entries()).keys()]).toEqual([hex('b2')])
    expect(warned.mock.calls).toEqual([
      [{ path: join(path, 'Lost.abi'), why: expect.stringMatching(/^ENOENT/) }, 'abi file skipped'],
    ])
  })

  test('a file that comes later is found', async () => {
    const { book, path } = await open({})
    expect((await book.entries()).size).toBe(0)
    await writeFile(join(path, 'Late.compiled.json'), JSON.stringify({ hash: hex('c1') }))
    await vi.waitFor(async () => expect((await book.entries()).size).toBe(1), { timeout: 300_000, interval: 200 })
  })
})
