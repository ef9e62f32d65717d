// Names by strangers, as the explorer shows them.

import { beforeAll, expect, test, vi } from 'vitest'
import type * as accountNames from '../../../client/explorer/accountNames.ts'

let names: typeof accountNames

beforeAll(async () => {
  // What the service wrote into the page: nothing.
  vi.stubGlobal('document', { getElementById: () => null })
  names = await import('../../../client/explorer/accountNames.ts')
  return () => vi.unstubAllGlobals()
})

const addressOf = (at: number): string => `0:${at.toString(16).toUpperCase().padStart(64, '0')}`

const learnJetton = (at: number, symbol: string): string => {
  names.learn({
    metadata: { [addressOf(at)]: { is_indexed: true, token_info: [{ type: 'jetton_masters', name: symbol, symbol }] } },
  })
  return addressOf(at)
}

test.each([
  ['\u202eNOT\u2066 a name\u200b', 'NOT a name'],
  [`Z${'\u0301'.repeat(1_000)}algo`, 'Z\u0301\u0301\u0301algo'],
  ['हिन्दी ग्रुप', 'हिन्दी ग्रुप'],
  ['\u3164\u2800\u115f \uffa0', ''],
  ['\u034f\ufe0f \u17b5', ''],
  [`${'a'.repeat(100_000)}`, `${'a'.repeat(63)}…`],
  ['👩‍👩‍👧‍👦', '👩👩👧👦'],
  ['a\nb\tc\0', 'a b c'],
])('%j is shown as %j', (text, shown) => {
  expect(names.foreignText(text)).toBe(shown)
})

test.each([
  ['\u202eNOT', '"\\u202eNOT"'],
  ['a\u200b\u{e0041}\u0085', '"a\\u200b\\udb40\\udc41\\u0085"'],
  ['plain “é” हिन्दी <b>', '"plain “é” हिन्दी <b>"'],
  [{ '\u2066k': 1n < 2n }, '{"\\u2066k":true}'],
  [undefined, 'undefined'],
])('%j as JSON for people says which characters it has', (value, shown) => {
  expect(names.plainJson(value, 100)).toBe(shown)
})

test('JSON for people is short, and says how long it is', () => {
  expect(names.plainJson('x'.repeat(1_000), 10)).toBe(`"${'x'.repeat(9)}… (1002 characters)`)
})

test('a name of 10 MB costs no more than a short one', () => {
  const scanned = vi.spyOn(String.prototype, 'replace')
  names.foreignText('\u202e'.repeat(10_000_000))
  const lengths = scanned.mock.contexts.map((text) => String(text).length)
  scanned.mockRestore()
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2_000)
})

test.each([
  'TON',
  'ton',
  'ТОN',
  'ＴＯＮ',
  '\u200bTON ',
  'T0N',
  'ΤΟΝ',
  'ꓔꓳꓠ',
  'ᎢOΝ',
  'Ⲧⲟⲛ',
  'T०N',
  'T O N',
  'T.O.N',
  'T-Ø·N',
])('a jetton that calls itself %j is said to be one', (symbol) => {
  const master = learnJetton(1, symbol)
  expect(names.symbolOf(master)).toMatch(/ \(a jetton\)$/)
  expect(names.nameOf(master)).toBeNull()
})

test.each([
  ['000 TON', '“000 TON” (a jetton)'],
  [',000,000', '“,000,000”'],
  ['+ 100 TON', '“+ 100 TON” (a jetton)'],
  ['×1000', '“×1000”'],
  ['$PEPE', '$PEPE'],
  ['.5', '“.5”'],
  ['٠٠٠', '“٠٠٠”'],
  ['OOO TON', 'OOO TON (a jetton)'],
  ['STONE', 'STONE'],
  ['T.ONE', 'T.ONE'],
  ['1INCH', '“1INCH”'],
  // Drawn as `000` and the letter: digits behind a letter of Hebrew or Arabic are at its left.
  ['\u05d0000', '“\u05d0000”'],
  ['\u062f\u064a 500', '“\u062f\u064a 500”'],
  ['\u062f\u064a\u0646\u0627\u0631', '\u062f\u064a\u0646\u0627\u0631'],
  ['USD0', 'USD0'],
])('a ticker that would go on with the amount does not: %j', (symbol, shown) => {
  expect(names.symbolOf(learnJetton(14, symbol))).toBe(shown)
})

test.each([
  ['6', 6],
  [' 255\n', 255],
  ['256', 9],
  ['-1', 9],
  ['1e1', 9],
  ['0x10', 9],
  ['', 9],
])('decimals of %j are %d', (decimals, shown) => {
  const token = { type: 'jetton_masters', symbol: 'DEC', extra: { decimals } }
  names.learn({ metadata: { [addressOf(15)]: { is_indexed: true, token_info: [token] } } })
  expect(names.decimalsOf(addressOf(15))).toBe(shown)
})

test('an amount of a jetton whose description was not read is in units, until it is read', () => {
  const master = addressOf(16)
  const take = (is_indexed: boolean, token: object) =>
    names.learn({ metadata: { [master]: { is_indexed, token_info: [{ type: 'jetton_masters', ...token }] } } })
  const uri = 'https://example.com/jetton.json'
  take(false, { extra: { uri } })
  expect([names.decimalsOf(master), names.symbolOf(master)]).toEqual([null, 'jetton units'])
  take(false, { symbol: 'USDT', extra: { uri } })
  expect([names.decimalsOf(master), names.symbolOf(master)]).toEqual([null, 'USDT units'])
  take(false, { symbol: 'USDT', extra: { uri, decimals: '6' } })
  expect([names.decimalsOf(master), names.symbolOf(master)]).toEqual([6, 'USDT'])
  take(true, { symbol: 'USDT' })
  expect([names.decimalsOf(master), names.symbolOf(master)]).toEqual([9, 'USDT'])
})

test('a jetton of an emulation that is described on chain without decimals has nine, as once it is deployed', () => {
  const master = addressOf(17)
  const token_info = [{ type: 'jetton_masters', symbol: 'NEW', extra: {} }]
  names.learn({ metadata: { [master]: { is_indexed: false, token_info } } })
  expect([names.decimalsOf(master), names.symbolOf(master)]).toEqual([9, 'NEW'])
})

test('a name that a person gave comes before all others, and no stranger has it', () => {
  names.takeGivenNames([`${addressOf(20)} My landlord`, 'nonsense', ''])
  expect(names.nameOf(addressOf(20))).toBe('My landlord')
  expect(names.namedAccounts().get('my landlord')).toBe(addressOf(20))
  expect(names.nameOf(learnJetton(21, 'My l\u0430ndlord'))).toBeNull()
  names.takeGivenNames([])
  expect(names.nameOf(addressOf(20))).toBeNull()
})

test('a name without letters that a person gave is taken alone, and not every name without letters', () => {
  names.takeGivenNames([`${addressOf(22)} 🏦`])
  expect(names.nameOf(learnJetton(23, '💎'))).toBe('💎')
  expect(names.nameOf(learnJetton(24, '🏦'))).toBeNull()
  names.takeGivenNames([])
})

test('other tickers are shown as they are, and none as what it is', () => {
  expect(names.symbolOf(learnJetton(2, 'TONIC'))).toBe('TONIC')
  expect(names.symbolOf(learnJetton(3, '\u2800'))).toBe('jetton')
  expect(names.symbolOf(learnJetton(3, '\u034f'))).toBe('jetton')
})

test('no jetton has the name of an account of ours', () => {
  names.learnAccounts([{ name: 'wallet4', address: addressOf(9) }])
  expect(names.nameOf(learnJetton(4, 'Elector'))).toBeNull()
  expect(names.nameOf(learnJetton(5, 'wallet4\u200b'))).toBeNull()
  expect(names.nameOf(learnJetton(6, 'USDT'))).toBe('USDT')
  expect(names.nameOf(addressOf(9))).toBe('wallet4')
})

test('the page of an item or a collection is called as its maker says, unless that is a name of ours or an address', () => {
  names.learnAccounts([{ name: 'wallet4', address: addressOf(9) }])
  const called = (type: string, name: string, at: number) => {
    names.learn({ metadata: { [addressOf(at)]: { is_indexed: true, token_info: [{ type, name }] } } })
    return names.pageNameOf(addressOf(at))
  }
  expect(called('nft_items', 'Plush\u202e Pepe', 30)).toBe('Plush Pepe')
  expect(called('nft_collections', 'Pepes', 31)).toBe('Pepes')
  expect(called('nft_items', 'w\u0430llet4', 32)).toBeNull()
  expect(called('nft_collections', 'EQCp…RNi7', 33)).toBeNull()
  expect(called('nft_items', '\u2800', 34)).toBeNull()
  expect(called('jetton_wallets', 'Pepes', 35)).toBeNull()
  expect(names.pageNameOf(addressOf(9))).toBe('wallet4')
})

test.each([
  'wаllet4',
  'ᴡallet4',
  'Wallet4',
  'w\u0430ll\u0435t4',
  'ЕLЕСТОR',
  'Е1ЕСТ0R',
  'wallet4\u0301',
  'ｗallet4',
  'ꓪꓮꓡꓡꓰꓔ4',
])('a name that is drawn like one of ours is none: %j', (symbol) => {
  names.learnAccounts([{ name: 'wallet4', address: addressOf(9) }])
  expect(names.nameOf(learnJetton(7, symbol))).toBeNull()
  names.learn({ address_book: { [addressOf(8)]: { user_friendly: 'EQ8', domain: symbol, interfaces: [] } } })
  expect(names.nameOf(addressOf(8))).toBeNull()
})

test.each([
  'EQCp…RNi7',
  'ЕQСр…RNi7',
  'UQCp...RNi7',
  '0QCp12j6uqmII6',
  'ОQCp12j6uqmII6',
  'kQBd··9tw',
  '-1:333',
  '0:A7A7',
  'О:A7A7',
])('a name that is drawn like an address is none: %j', (symbol) =>
  expect(names.nameOf(learnJetton(12, symbol))).toBeNull(),
)

test.each(['EQUAL', 'UQ', 'Official', 'KF', 'Efficient', 'EQUILIBRIUM', 'sub.wallet4.ton', 'ТЕСТ', '日本語'])(
  'other names are shown: %j',
  (symbol) => expect(names.nameOf(learnJetton(13, symbol))).toBe(symbol),
)

test('an account that came with the chain has the form the service writes, before any reply has it', () => {
  const friendly = '0QCp12j6uqmII6AFM5l75YM2nQ6hJecaotDZytNtnLjRGGMx'
  names.learnAccounts([{ name: 'wallet12', address: friendly, friendly }])
  const raw = names.namedAccounts().get('wallet12') ?? ''
  expect(names.friendlyForm(raw)).toBe(friendly)
})

test('of ever more accounts the newest are kept, and those that are seen again', () => {
  const often = learnJetton(10, 'OFTEN')
  const once = learnJetton(11, 'ONCE')
  for (let at = 100; at < 20_200; at++) {
    learnJetton(at, 'MANY')
    if (at % 1_000 === 0) learnJetton(10, 'OFTEN')
  }
  expect(names.tokenOf(often)?.symbol).toBe('OFTEN')
  expect(names.tokenOf(once)).toBeUndefined()
})
