import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginCell,
  type Cell,
  CellError,
  hashToHex,
  openCell,
  stdAddress,
  storeAddress,
} from '../../../../server/cell/index.ts'
import {
  type DnsRecord,
  decodeDomain,
  dnsCategoryHash,
  dnsRecords,
  encodeDomain,
  loadDnsRecord,
} from '../../../../server/tlb/index.ts'
import {
  adnlRecord,
  keyOf,
  namedCells,
  resolverRecord,
  smcRecord,
  storageRecord,
  textRecord,
} from '../../../setup/madeContents.ts'
import { cellTwins } from '../../cell/randomCells.ts'

describe('names', () => {
  test.each([
    ['.', '\0'],
    ['ton', 'ton\0'],
    ['foundation.ton', 'ton\0foundation\0'],
    ['пример.ton', 'ton\0пример\0'],
    ['a.b.c', 'c\0b\0a\0'],
  ])('%s', (name, inside) => {
    expect(encodeDomain(name)?.toString()).toBe(inside)
    expect(decodeDomain(Buffer.from(inside))).toBe(name)
  })

  test('a name at the end of another, with the zero byte in front or without the one behind', () => {
    expect(decodeDomain(Buffer.from('\0sub\0'))).toBe('sub')
    expect(decodeDomain(Buffer.from('foundation'))).toBe('foundation')
  })

  test.each([
    '',
    '..',
    'a..b',
    '.ton',
    'ton.',
    'a b',
    'a\tb',
    'a\0b',
    '\u0001',
    `${'a'.repeat(125)}.b`,
    '\ud800.ton',
    'ё'.repeat(64),
  ])('error: %j is none', (name) => expect(encodeDomain(name)).toBeNull())

  test('whatever is a name comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const encoded = encodeDomain(name)
        if (encoded === null) return
        expect(decodeDomain(encoded)).toBe(name)
        expect(encoded.at(-1)).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  test('categories are hashes of their names', () => {
    const hex = (name: string) => hashToHex(dnsCategoryHash(name))
    expect(hex('wallet')).toBe('e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b')
    expect(hex('site')).toBe('fbae041b02c41ed0fd8a4efb039bc780dd6af4a1f0c420f42561ae705dda43fe')
    expect(hex('storage')).toBe('49a25f9feefaffecad0fcd30c50dc9331cff8b55ece53def6285c09e17e6f5d7')
    expect(hex('dns_next_resolver')).toBe('19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff')
  })
})

describe('records', () => {
  const read = (cell: Cell) => loadDnsRecord(openCell(cell))
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const address = fc
    .tuple(fc.integer({ min: -128, max: 127 }), bytes)
    .map(([workchain, hash]) => stdAddress(workchain, hash))
  const written: fc.Arbitrary<readonly [Cell, DnsRecord]> = fc.oneof(
    address.map((to) => [smcRecord(to), { kind: 'smcAddress', address: to, flags: 0 }] as const),
    address.map((to) => [resolverRecord(to), { kind: 'nextResolver', address: to }] as const),
    bytes.map((adnl) => [adnlRecord(adnl), { kind: 'adnlAddress', adnl, flags: 0 }] as const),
    bytes.map((bagId) => [storageRecord(bagId), { kind: 'storageAddress', bagId }] as const),
    fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => [textRecord(text), { kind: 'text', text }] as const),
  )

  test('whatever is written is read', () => {
    fc.assert(
      fc.property(written, ([cell, record]) => {
        expect(read(cell)).toEqual(record)
      }),
    )
  })

  test('flags, and what stands behind them', () => {
    const to = stdAddress(0, new Uint8Array(32).fill(7))
    // Capabilities: a wallet, and no more.
    const wallet = storeAddress(beginCell().storeUint(0x9fd3, 16), to).storeUint(1, 8).storeBit(1).storeUint(0x2177, 16)
    expect(read(wallet.storeBit(0).end())).toEqual({ kind: 'smcAddress', address: to, flags: 1 })
    const bare = storeAddress(beginCell().storeUint(0x9fd3, 16), to).end()
    expect(read(bare)).toEqual({ kind: 'smcAddress', address: to, flags: 0 })
  })

  test('addresses written the long way are the accounts they mean', () => {
    const hash = new Uint8Array(32).fill(7)
    const long = (tag: number, bits: number) =>
      beginCell().storeUint(tag, 16).storeUint(3, 2).storeBit(0).storeUint(bits, 9).storeInt(0, 32)
    const to = stdAddress(0, hash)
    expect(read(long(0x9fd3, 256).storeBytes(hash).storeUint(2, 8).end())).toEqual({
      kind: 'smcAddress',
      address: to,
      flags: 2,
    })
    expect(read(long(0xba93, 256).storeBytes(hash).end())).toEqual({ kind: 'nextResolver', address: to })
    // No account has so short an id.
    expect(() => read(long(0x9fd3, 8).storeUint(7, 8).storeUint(0, 8).end())).toThrow(CellError)
  })

  test.each([
    ['nothing', beginCell().end()],
    ['another tag', beginCell().storeUint(0x1234, 16).end()],
    ['half an address', beginCell().storeUint(0xad01, 16).storeUint(0, 200).end()],
    ['no address', beginCell().storeUint(0x9fd3, 16).storeUint(0, 2).end()],
    [
      'text that is no UTF-8',
      beginCell().storeUint(0x1eda, 16).storeUint(1, 8).storeUint(1, 8).storeUint(0xff, 8).end(),
    ],
    ['text cut short', beginCell().storeUint(0x1eda, 16).storeUint(2, 8).storeUint(0, 8).end()],
  ])('error: %s', (_, cell) => {
    expect(() => read(cell)).toThrow(CellError)
  })

  test('any cells are a record, or a CellError says that they are none', () => {
    const tag = fc.constantFrom(null, 0x9fd3, 0xba93, 0xad01, 0x7473, 0x1eda)
    fc.assert(
      fc.property(cellTwins(6, 60), tag, ({ ours }, number) => {
        const cell = number === null ? ours : beginCell().storeUint(number, 16).storeSlice(openCell(ours)).end()
        try {
          read(cell)
        } catch (error) {
          expect(error).toBeInstanceOf(CellError)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('dictionaries of records', () => {
  test('by category, behind references and in leaves', () => {
    const cells = { wallet: smcRecord(stdAddress(0, new Uint8Array(32))), site: adnlRecord(new Uint8Array(32)) }
    const root = namedCells(cells)
    if (root === null) throw new Error('a dictionary was expected')
    const records = dnsRecords(root)
    expect(records.size).toBe(2)
    expect(records.get(keyOf('wallet'))?.equals(cells.wallet)).toBe(true)
    expect(records.get(keyOf('site'))?.equals(cells.site)).toBe(true)
    // One entry: a label of all 256 bits, the value behind it.
    const inline = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeBytes(new Uint8Array(32)).storeUint(0x7473, 16)
    const [[category, cell] = ['', root]] = dnsRecords(inline.storeBytes(new Uint8Array(32)).end())
    expect(category).toBe('\0'.repeat(32))
    expect(cell.equals(storageRecord(new Uint8Array(32)))).toBe(true)
  })

  test('error: more than anybody has', () => {
    let node = beginCell().storeUint(0, 2).storeRef(beginCell().end()).end()
    for (let bit = 0; bit < 256; bit++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
    expect(() => dnsRecords(node)).toThrow(/over 1000 records/)
  })
})
