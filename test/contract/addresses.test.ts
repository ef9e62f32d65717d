// The four methods that only compute, with the vectors other servers of this interface are tested with.

import { describe, expect, test } from 'vitest'
import { ask, queryOf, rpc, TONCENTER } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve())

const HEX = '83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const EQ = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const UQ = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'
const RAW = `0:${HEX}`

/** The answer of REST GET, after making sure that JSON-RPC says the same. */
async function get(method: string, params: Record<string, string>) {
  const { status, body } = await ask(service(), `/api/v2/${method}${queryOf(params)}`)
  const over = await rpc(service(), TONCENTER, method, params)
  expect(over.status).toBe(status)
  expect(over.body.result).toEqual(body.result)
  return { status, body, result: body.result }
}

describe('detectAddress', () => {
  test.each([
    ['friendly', EQ, 'friendly_bounceable'],
    ['friendly, not bounceable', UQ, 'friendly_non_bounceable'],
    ['raw, upper case', RAW, 'raw_form'],
    ['raw, lower case', RAW.toLowerCase(), 'raw_form'],
    ['raw, mixed case', `0:${HEX.slice(0, 32)}${HEX.slice(32).toLowerCase()}`, 'raw_form'],
  ])('%s: the same spellings', async (_, address, given_type) => {
    expect((await get('detectAddress', { address })).result).toEqual({
      '@type': 'ext.utils.detectedAddress',
      raw_form: RAW.toLowerCase(),
      bounceable: { '@type': 'ext.utils.detectedAddressVariant', b64: EQ, b64url: EQ },
      non_bounceable: { '@type': 'ext.utils.detectedAddressVariant', b64: UQ, b64url: UQ },
      given_type,
      test_only: false,
    })
  })

  test('the flag for test networks stays in all four spellings', async () => {
    const { result } = await get('detectAddress', { address: '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC' })
    expect(result).toMatchObject({
      test_only: true,
      given_type: 'friendly_non_bounceable',
      bounceable: { b64url: expect.stringMatching(/^kQ/) },
      non_bounceable: { b64url: expect.stringMatching(/^0Q/) },
    })
  })

  test('b64 is standard base64 and b64url is url-safe', async () => {
    const { result } = await get('detectAddress', { address: `-1:${'fb'.repeat(32)}` })
    const { bounceable } = result as { bounceable: { b64: string; b64url: string } }
    expect(bounceable.b64).toMatch(/[+/]/)
    expect(bounceable.b64url).toBe(bounceable.b64.replaceAll('+', '-').replaceAll('/', '_'))
  })

  test('standard base64 is read too, also where a query turned + into a space', async () => {
    const { result } = await get('detectAddress', { address: `0:${'fb'.repeat(32)}` })
    const { b64 } = (result as { bounceable: { b64: string } }).bounceable
    expect(b64).toContain('+')
    const unescaped = await ask(service(), `/api/v2/detectAddress?address=${b64.replaceAll('/', '%2F')}`)
    expect(unescaped.body.result).toMatchObject({ raw_form: `0:${'fb'.repeat(32)}` })
  })
})

describe('refused addresses', () => {
  const wrongCrc = `${EQ.slice(0, -1)}M`
  const wrongTag = Buffer.from(Uint8Array.of(0x12, ...Buffer.from(EQ, 'base64url').subarray(1))).toString('base64url')
  test.each([
    ['words', 'not_an_address'],
    ['empty', ''],
    ['wrong checksum', wrongCrc],
    ['wrong tag', wrongTag],
    ['64 hex digits without a workchain', HEX],
    ['hex too short', `0:${HEX.slice(2)}`],
    ['hex too long', `${RAW}00`],
    ['no hex', `0:${'g'.repeat(64)}`],
    ['workchain beyond int32', `2147483648:${HEX}`],
    ['workchain with a plus', `+0:${HEX}`],
    ['workchain that is no number', `zero:${HEX}`],
    ['both alphabets at once', `+${EQ.slice(1, -2)}-${EQ.slice(-1)}`],
    ['a character too few', EQ.slice(1)],
    ['a character too many', `${EQ}A`],
    ['padded', `${EQ.slice(0, -1)}=`],
    ['spaces around', ` ${RAW} `],
    ['a null byte', `${RAW.slice(0, -1)}\0`],
    ['digits of another script', `٠:${HEX}`],
  ])('%s', async (_, address) => {
    for (const method of ['detectAddress', 'packAddress', 'unpackAddress']) {
      const { status, body } = await get(method, { address })
      expect([status, body.ok, body.code]).toEqual([422, false, 422])
    }
  })

  test('the text shows what was given, on one line and clipped', async () => {
    const { body } = await get('packAddress', { address: 'no\nsuch\u2028address' })
    expect(body.error).toBe("failed to parse get request: Failed to parse ton_addr: 'no such address'")
    expect((await get('packAddress', { address: '' })).body.error).toContain('empty address')
  })

  test('a workchain without a friendly form can be unpacked and nothing else', async () => {
    const address = `-2147483648:${HEX}`
    expect((await get('unpackAddress', { address })).result).toBe(address)
    expect((await get('packAddress', { address })).status).toBe(422)
    expect((await get('detectAddress', { address })).status).toBe(422)
  })
})

describe('packAddress', () => {
  test.each([
    ['raw becomes bounceable', RAW, EQ],
    ['lower case too', RAW.toLowerCase(), EQ],
    ['bounceable stays', EQ, EQ],
    ['not bounceable stays', UQ, UQ],
    ['masterchain', `-1:${'0'.repeat(64)}`, 'Ef8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAU'],
    ['workchain -128', `-128:${HEX}`, expect.stringMatching(/^EYCD/)],
    ['workchain 127', `127:${HEX}`, expect.stringMatching(/^EX-D/)],
  ])('%s', async (_, address, packed) => {
    expect((await get('packAddress', { address })).result).toEqual(packed)
  })
})

test.each([EQ, UQ, RAW, RAW.toLowerCase()])('unpackAddress of %s is raw and upper case', async (address) => {
  expect((await get('unpackAddress', { address })).result).toBe(RAW)
})

describe('detectHash', () => {
  const B64 = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='
  const B64URL = 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM'
  const hex = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'

  test.each([
    ['44 of base64', B64],
    ['44 of base64url', `${B64URL}=`],
    ['43 of base64url', B64URL],
    ['64 of hex', hex],
    ['64 of hex, upper case', hex.toUpperCase()],
  ])('%s', async (_, hash) => {
    const { result } = await get('detectHash', { hash })
    expect(result).toEqual({ '@type': 'ext.utils.detectedHash', b64: B64, b64url: B64URL, hex })
  })

  test('a plus that came as a space', async () => {
    const { body } = await ask(service(), `/api/v2/detectHash?hash=${B64.replaceAll('/', '%2F').replace('=', '%3D')}`)
    expect(body.result).toMatchObject({ hex })
  })

  test.each([
    ['43 of standard base64', B64.slice(0, 43)],
    ['words', 'not a hash'],
    ['empty', ''],
    ['both alphabets', B64.replace('+', '-')],
    ['63 of hex', hex.slice(1)],
    ['no hex', `g${hex.slice(1)}`],
    ['33 bytes', Buffer.alloc(33).toString('base64')],
    ['spare bits that are not zero', `${B64URL.slice(0, 42)}N`],
  ])('refused: %s', async (_, hash) => {
    const { status, body } = await get('detectHash', { hash })
    expect([status, body.ok, body.code]).toEqual([422, false, 422])
  })
})
