// Reading and writing addresses, held against another implementation with whatever fast-check thinks of.

import { Address } from '@ton/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAddress, toFriendly, toFriendlyStandard, toRaw, toRawUpper } from '../../shared/address.ts'
import { fromBase64, toBase64, toBase64Url } from '../../shared/base64.ts'
import { fromHex, toHex } from '../../shared/hex.ts'
import { parseHash } from '../../shared/parseHash.ts'

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
const workchain = fc.integer({ min: -128, max: 127 })
const flags = { bounceable: fc.boolean(), testOnly: fc.boolean() }
const friendly = fc.record({ workchain, hash, ...flags })

/** The other implementation, with an answer in the place of an exception. */
function theirs(
  text: string,
): { readonly address: string; readonly bounceable: boolean; readonly testOnly: boolean } | null {
  try {
    const { address, isBounceable, isTestOnly } = Address.parseFriendly(text)
    return { address: address.toRawString(), bounceable: isBounceable, testOnly: isTestOnly }
  } catch {
    return null
  }
}

test('the friendly form is written as the other writes it', () => {
  fc.assert(
    fc.property(friendly, (address) => {
      const other = new Address(address.workchain, Buffer.from(address.hash))
      const { bounceable, testOnly } = address
      expect(toFriendly(address)).toBe(other.toString({ bounceable, testOnly, urlSafe: true }))
      expect(toFriendlyStandard(address)).toBe(other.toString({ bounceable, testOnly, urlSafe: false }))
      expect(toRaw(address)).toBe(other.toRawString())
    }),
  )
})

test('the friendly form is read back with all it says', () => {
  fc.assert(
    fc.property(friendly, fc.boolean(), (address, urlSafe) => {
      const read = parseAddress(urlSafe ? toFriendly(address) : toFriendlyStandard(address))
      expect(read).toEqual({ ...address, form: 'friendly' })
    }),
  )
})

test('the raw form is read in any letter case, with any workchain', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), hash, fc.boolean(), (wc, bytes, upper) => {
      const address = { workchain: wc, hash: bytes }
      expect(parseAddress(upper ? toRawUpper(address) : toRaw(address))).toMatchObject({ ...address, form: 'raw' })
    }),
  )
})

test.each(['+-AA', '/_AA', 'AB==', 'AAB=', 'AA=', 'A===', 'A', 'AAA==='])('%s is no base64', (text) => {
  expect(fromBase64(text)).toBeNull()
})

test('the first and the last workchain of the friendly form', () => {
  const address = { hash: Buffer.alloc(32, 1), bounceable: true, testOnly: false }
  const read = (wc: number) => parseAddress(toFriendly({ ...address, workchain: wc }))?.workchain
  expect([-128, -1, 0, 127].map(read)).toEqual([-128, -1, 0, 127])
})

test('a hash without its padding is base64 for URLs', () => {
  const hash = Buffer.alloc(32, 0xfb)
  expect([parseHash(toBase64Url(hash)), parseHash(toBase64(hash))]).toEqual(
    [hash, hash].map((one) => new Uint8Array(one)),
  )
  expect(parseHash(toBase64(hash).slice(0, -1))).toBeNull()
})

test('a workchain has 32 bits', () => {
  const read = (wc: string) => parseAddress(`${wc}:${'ab'.repeat(32)}`)?.workchain
  expect(['-2147483648', '2147483647', '-2147483649', '2147483648'].map(read)).toEqual([
    -(2 ** 31),
    2 ** 31 - 1,
    undefined,
    undefined,
  ])
})

test('one changed character is refused, or read as the other reads it', () => {
  const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ')
  fc.assert(
    fc.property(friendly, fc.nat(47), character, (address, at, changed) => {
      const good = toFriendly(address)
      const text = good.slice(0, at) + changed + good.slice(at + 1)
      const read = parseAddress(text)
      // The same character in the other alphabet is no change.
      if (text.replaceAll(/[ +]/g, '-').replaceAll('/', '_') === good) return
      // A checksum of 16 bits finds every change of up to 16 bits in a row.
      expect(read).toBeNull()
    }),
    { numRuns: 500 },
  )
})

test('whatever is read of any 36 bytes, the other reads too', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 36, maxLength: 36 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64url')
      const read = parseAddress(text)
      if (read)
        expect(theirs(text)).toEqual({ address: toRaw(read), bounceable: read.bounceable, testOnly: read.testOnly })
    }),
  )
})

test('no text at all makes it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ minLength: 48, maxLength: 48 })),
      (text) => {
        parseAddress(text)
        parseHash(text)
        fromBase64(text)
        fromHex(text)
      },
    ),
    { numRuns: 1000 },
  )
})

test('bytes survive both alphabets and hex, and are written as Node writes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const buffer = Buffer.from(bytes)
      expect([toBase64(bytes), toBase64Url(bytes), toHex(bytes)]).toEqual([
        buffer.toString('base64'),
        buffer.toString('base64url'),
        buffer.toString('hex'),
      ])
      expect([fromBase64(toBase64(bytes)), fromBase64(toBase64Url(bytes)), fromHex(toHex(bytes))]).toEqual([
        bytes,
        bytes,
        bytes,
      ])
    }),
  )
})

test('a hash is read the same in its five spellings', () => {
  fc.assert(
    fc.property(hash, (bytes) => {
      const url = toBase64Url(bytes)
      for (const text of [toBase64(bytes), `${url}=`, url, toHex(bytes), toHex(bytes).toUpperCase()])
        expect(parseHash(text)).toEqual(bytes)
    }),
  )
})
