// Spellings of addresses and hashes: computed, no chain needed.

import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Address, Hash, PackableAddress } from '../primitives.ts'

const group = 'addresses'

const Variant = z
  .object({
    '@type': z.literal('ext.utils.detectedAddressVariant'),
    b64: z.string().length(48),
    b64url: z.string().length(48),
  })
  .meta({ id: 'DetectedAddressVariant' })

const DetectedAddress = z
  .object({
    '@type': z.literal('ext.utils.detectedAddress'),
    raw_form: z.string(),
    bounceable: Variant,
    non_bounceable: Variant,
    given_type: z.enum(['raw_form', 'friendly_bounceable', 'friendly_non_bounceable']),
    test_only: z.boolean(),
  })
  .meta({ id: 'DetectedAddress' })

const DetectedHash = z
  .object({
    '@type': z.literal('ext.utils.detectedHash'),
    b64: z.string().length(44),
    b64url: z.string().length(43),
    hex: z.string().length(64),
  })
  .meta({ id: 'DetectedHash' })

const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const BOUNCEABLE = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const NON_BOUNCEABLE = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'

export const addresses = {
  detectAddress: method({
    summary: 'Every spelling of an address, and which one was given.',
    group,
    params: z.strictObject({ address: PackableAddress }),
    result: DetectedAddress,
    rest: readsV2('detectAddress'),
    freshness: 'fixed',
    example: {
      params: { address: BOUNCEABLE },
      result: {
        '@type': 'ext.utils.detectedAddress',
        raw_form: RAW.toLowerCase(),
        bounceable: { '@type': 'ext.utils.detectedAddressVariant', b64: BOUNCEABLE, b64url: BOUNCEABLE },
        non_bounceable: { '@type': 'ext.utils.detectedAddressVariant', b64: NON_BOUNCEABLE, b64url: NON_BOUNCEABLE },
        given_type: 'friendly_bounceable',
        test_only: false,
      },
    },
  }),

  detectHash: method({
    summary: 'Every spelling of a 256-bit hash.',
    group,
    params: z.strictObject({ hash: Hash }),
    result: DetectedHash,
    rest: readsV2('detectHash'),
    freshness: 'fixed',
    example: {
      params: { hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=' },
      result: {
        '@type': 'ext.utils.detectedHash',
        b64: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
        b64url: 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
        hex: '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3',
      },
    },
  }),

  packAddress: method({
    summary: 'An address in its friendly form; a friendly one keeps its flags, a raw one becomes bounceable.',
    group,
    params: z.strictObject({ address: PackableAddress }),
    result: z.string().length(48),
    rest: readsV2('packAddress'),
    freshness: 'fixed',
    example: { params: { address: RAW }, result: BOUNCEABLE },
  }),

  unpackAddress: method({
    summary: 'An address in its raw form, uppercase.',
    group,
    params: z.strictObject({ address: Address }),
    result: z.string(),
    rest: readsV2('unpackAddress'),
    freshness: 'fixed',
    example: { params: { address: NON_BOUNCEABLE }, result: RAW },
  }),
}
