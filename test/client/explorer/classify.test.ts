import { describe, expect, test } from 'vitest'
import { parseAddress, toFriendly } from '../../../shared/address.ts'
import { classifyText } from '../../../shared/explorer/classifyText.ts'

const RAW = `0:${'AB'.repeat(32)}`
const FRIENDLY = toFriendly({ workchain: 0, hash: new Uint8Array(32).fill(0xab), bounceable: true, testOnly: true })
const names = new Map([
  ['wallet4', RAW],
  ['@savings', RAW],
])
const known = { names, methods: ['v3.jetton.wallets', 'runGetMethod'] }
const BOC = 'te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo'
const HASH = 'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A='
const HASH_URL = 'jSE_gBnDgZOD8XG6nWYYvhoxQWQIMwI1S_8vyRJFu4A'
const HASH_HEX = '8d213f8019c3819383f171ba9d6618be1a314164083302354bff2fc91245bb80'
const CUT_HASH = 'The middle of this hash is left out: copy the whole hash.'
const CUT = 'The middle of this address is left out, and others may begin and end like it: copy the whole address.'

describe('recognises', () => {
  test.each([
    [FRIENDLY, { kind: 'account', raw: RAW, words: 'Address, bounceable, test only' }],
    [`  ${RAW.toLowerCase()}\n`, { kind: 'account', raw: RAW, words: 'Address' }],
    ['Wallet4', { kind: 'account', raw: RAW }],
    ['ab'.repeat(32), { kind: 'hash', hex: 'ab'.repeat(32) }],
    [`0x${'AB'.repeat(32)}`, { kind: 'hash', hex: 'ab'.repeat(32) }],
    [HASH, { kind: 'hash' }],
    [HASH_URL, { kind: 'hash' }],
    ['352', { kind: 'block', block: { workchain: -1, shard: '8000000000000000', seqno: 352 } }],
    ['(0,8000000000000000,17)', { kind: 'block', block: { workchain: 0, shard: '8000000000000000', seqno: 17 } }],
    [
      `(0,8000000000000000,17):${'AB'.repeat(32)}:${'cd'.repeat(32)}`,
      { kind: 'block', block: { workchain: 0, shard: '8000000000000000', seqno: 17 } },
    ],
    ['ab cd'.repeat(16), { kind: 'hash', hex: 'abcd'.repeat(16) }],
    ['jSE/gBnDgZOD8XG6nWYY vhoxQWQIMwI1S/8vyRJFu4A=', { kind: 'hash' }],
    [`${FRIENDLY.slice(0, 20)}\n  ${FRIENDLY.slice(20)}`, { kind: 'account', raw: RAW }],
    ['0:a000000000000000:17', { kind: 'block', block: { workchain: 0, shard: 'A000000000000000', seqno: 17 } }],
    ['jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A', { kind: 'hash' }],
    ['jSE%2FgBnDgZOD8XG6nWYYvhoxQWQIMwI1S%2F8vyRJFu4A%3D', { kind: 'hash' }],
    ['(-1,-9223372036854775808,17)', { kind: 'block', block: { workchain: -1, shard: '8000000000000000', seqno: 17 } }],
    [`"${FRIENDLY}"`, { kind: 'account', raw: RAW }],
    [`\u202e${FRIENDLY}\u200b`, { kind: 'account', raw: RAW }],
    [`https://tonviewer.com/${FRIENDLY}?section=nfts`, { kind: 'account', raw: RAW }],
    [`https://tonscan.org/address/${FRIENDLY}#tokens`, { kind: 'account', raw: RAW }],
    [`ton://transfer/${FRIENDLY}?amount=1`, { kind: 'account', raw: RAW }],
    [`https://testnet.tonviewer.com/transaction/${'ab'.repeat(32)}`, { kind: 'hash', hex: 'ab'.repeat(32) }],
    ['http://localhost:8081/block/0:a000000000000000:17', { kind: 'block', block: { workchain: 0, seqno: 17 } }],
    ['https://tonviewer.com/block/(-1,8000000000000000,17)', { kind: 'block', block: { workchain: -1, seqno: 17 } }],
    [`tonkeeper://transfer/${FRIENDLY}?amount=1`, { kind: 'account', raw: RAW }],
    [`Pay tonkeeper://transfer/${FRIENDLY}?amount=1 now`, { kind: 'account', raw: RAW }],
    [`адрес${FRIENDLY}`, { kind: 'account', raw: RAW }],
    ['http://alice.ton/', { kind: 'domain', name: 'alice.ton' }],
    ['https://example.com/about', { kind: 'text' }],
    ['EQAb…wxyz', { kind: 'wrong', words: CUT }],
    ['UQAb...wxyz', { kind: 'wrong', words: CUT }],
    ['0:AB12…cd34', { kind: 'wrong', words: CUT }],
    ['3c7f…6802', { kind: 'wrong', words: CUT_HASH }],
    ['0x3C7F51...CC6802', { kind: 'wrong', words: CUT_HASH }],
    ['feed...beef', { kind: 'text' }],
    ['EQ is it…really', { kind: 'text' }],
    // Cyrillic, full width, and a letter with an accent of its own: none of them is lice.ton, or ce.ton.
    ['\u0430lice.ton', { kind: 'text', text: '\u0430lice.ton' }],
    ['https://\uff41lice.ton/', { kind: 'text' }],
    ['ali\u0301ce.ton', { kind: 'text', text: 'ali\u0301ce.ton' }],
    ['alice.ton\u0430', { kind: 'text' }],
    ['al\u{1f600}ice.ton', { kind: 'text' }],
    ['al\u200dice.ton', { kind: 'text' }],
    ['«alice.ton»，\nor bob.ton', { kind: 'domain', name: 'alice.ton' }],
    [`${FRIENDLY}.`, { kind: 'account', raw: RAW }],
    [`(${RAW})`, { kind: 'account', raw: RAW }],
    [`sent by ${FRIENDLY}, see alice.ton`, { kind: 'account', raw: RAW }],
    [`{"address":"${FRIENDLY}","hash":"jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A="}`, { kind: 'account', raw: RAW }],
    ['"hash": "jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A="', { kind: 'hash' }],
    [`Hash: ${'ab'.repeat(32)}`, { kind: 'hash', hex: 'ab'.repeat(32) }],
    [`47670702000009:${'AB'.repeat(32)}`, { kind: 'hash', hex: 'ab'.repeat(32) }],
    [
      `https://explorer.toncoin.org/transaction?account=${FRIENDLY}&lt=4&hash=jSE%2FgBnDgZOD8XG6nWYYvhoxQWQIMwI1S%2F8vyRJFu4A%3D`,
      { kind: 'hash', hex: HASH_HEX },
    ],
    [`https://explorer.toncoin.org/account?account=${FRIENDLY}`, { kind: 'account', raw: RAW }],
    [`https://retracer.ton.org/?tx=${'ab'.repeat(32)}`, { kind: 'hash', hex: 'ab'.repeat(32) }],
    [`https://ton.cx/tx/47670702000009:${'ab'.repeat(32)}:${FRIENDLY}`, { kind: 'hash', hex: 'ab'.repeat(32) }],
    [`https://tonscan.org/tx/${HASH}`, { kind: 'hash', hex: HASH_HEX }],
    [`see https://tonscan.org/tx/${HASH} please`, { kind: 'hash', hex: HASH_HEX }],
    [`https://ton.cx/tx/47670702000009:${HASH}:${FRIENDLY}`, { kind: 'hash', hex: HASH_HEX }],
    [`https://ton.cx/tx/47670702000009:${HASH}:${RAW}`, { kind: 'hash', hex: HASH_HEX }],
    [`https://tonwhales.com/explorer/address/${FRIENDLY}/47670702000009_${HASH_URL}`, { kind: 'hash', hex: HASH_HEX }],
    [`2000003:${HASH}`, { kind: 'hash', hex: HASH_HEX }],
    // Logical times of a young chain, which have the length of a workchain.
    [`2000003:${HASH_HEX}`, { kind: 'hash', hex: HASH_HEX }],
    [`https://ton.cx/tx/1000001:${HASH_HEX}:${FRIENDLY}`, { kind: 'hash', hex: HASH_HEX }],
    [`lt 5000000001:${HASH_HEX.toLowerCase()}`, { kind: 'hash', hex: HASH_HEX }],
    [`te6cAAAA/${HASH_URL.replaceAll('_', '/')}`, { kind: 'boc' }],
    ['https://dns.ton.org/#alice.ton', { kind: 'domain', name: 'alice.ton' }],
    [
      'https://explorer.toncoin.org/search?workchain=-1&shard=8000000000000000&seqno=17',
      { kind: 'block', block: { workchain: -1, shard: '8000000000000000', seqno: 17 } },
    ],
    [
      `{"@type":"ton.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":17,"root_hash":"jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A="}`,
      { kind: 'block', block: { workchain: -1, shard: '8000000000000000', seqno: 17 } },
    ],
    ['[-1:8000000000000000:17]', { kind: 'block', block: { workchain: -1, shard: '8000000000000000', seqno: 17 } }],
    ['[0, A000000000000000, 17]', { kind: 'block', block: { workchain: 0, shard: 'A000000000000000', seqno: 17 } }],
    ['wc=0 shard=a000000000000000 seqno=17', { kind: 'block', block: { workchain: 0, shard: 'A000000000000000' } }],
    ['WC: -1, shard: 8000000000000000, seqno: 17', { kind: 'block', block: { workchain: -1, seqno: 17 } }],
    ['#17', { kind: 'block', block: { workchain: -1, seqno: 17 } }],
    ['Block 17', { kind: 'block', block: { workchain: -1, seqno: 17 } }],
    ['1\u2009234', { kind: 'block', block: { workchain: -1, seqno: 1_234 } }],
    ['1,234', { kind: 'block', block: { workchain: -1, seqno: 1_234 } }],
    ['block party at 10:20:30', { kind: 'text' }],
    ['a tonne of foo.tone', { kind: 'text' }],
    ['"bean"', { kind: 'text', text: 'bean' }],
    ['Alice.TON', { kind: 'domain', name: 'alice.ton' }],
    ['durov.t.me', { kind: 'domain', name: 'durov.t.me' }],
    ['https://t.me/durov', { kind: 'domain', name: 'durov.t.me' }],
    ['t.me/Durov/', { kind: 'domain', name: 'durov.t.me' }],
    ['@durov', { kind: 'domain', name: 'durov.t.me' }],
    ['@Savings', { kind: 'account', raw: RAW }],
    ['@me', { kind: 'text' }],
    [`https://t.me/wallet?startattach=${FRIENDLY}`, { kind: 'account', raw: RAW }],
    ['https://t.me/durov/352', { kind: 'text' }],
    ['https://fragment.com/username/durov', { kind: 'domain', name: 'durov.t.me' }],
    ['https://dns.ton.org/#durov', { kind: 'domain', name: 'durov.ton' }],
    ['dns.ton.org/#Durov', { kind: 'domain', name: 'durov.ton' }],
    ['0x7e8764EF', { kind: 'opcode', opcode: '0x7e8764ef' }],
    ['0x1', { kind: 'opcode', opcode: '0x00000001' }],
    [BOC, { kind: 'boc', boc: BOC }],
    ['B5EE9C7241010101000C000014000000004865', { kind: 'boc' }],
    ['jetton.wallets', { kind: 'method', method: 'v3.jetton.wallets' }],
    ['runGetMethod', { kind: 'method', method: 'runGetMethod' }],
    ['bean', { kind: 'text', text: 'bean' }],
    // A number of 256 bits, as the index of an item, is no hash that was copied wrong.
    [String(2n ** 256n - 1n), { kind: 'text', text: String(2n ** 256n - 1n) }],
    ['', { kind: 'empty' }],
    ['   ', { kind: 'empty' }],
  ])('%s', (text, expected) => expect(classifyText(text, known)).toMatchObject(expected))
})

describe('says what is wrong with', () => {
  const changed = FRIENDLY.slice(0, 20) + (FRIENDLY[20] === 'A' ? 'B' : 'A') + FRIENDLY.slice(21)
  test.each([
    [changed, /checksum/],
    [`${RAW}ab`, /64 hex digits/],
    [`1000:${'AB'.repeat(32)}`, /no workchain/],
    ['te6cckEBAQEADAAAF', /cut short/],
    [`${'ab'.repeat(32)}c`, /64 hex digits, and this has 65/],
    [`0x${'ab'.repeat(33)}`, /64 hex digits, and this has 66/],
    ['x'.repeat(10_001), /too long/],
  ])('%s', (text, words) => {
    expect(parseAddress(text) === null || text.startsWith('1000:')).toBe(true)
    expect(classifyText(text)).toMatchObject({ kind: 'wrong', words: expect.stringMatching(words) })
  })

  test('nothing in megabytes of anything', () => {
    for (const letter of ['(', '0', ' ', '-', 'te6cck', '.', ':'])
      expect(classifyText(letter.repeat(200_000 / letter.length)).kind).toMatch(/wrong|empty/)
  })
})
