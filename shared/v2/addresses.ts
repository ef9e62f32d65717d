// Spellings of addresses and hashes: computed, no chain needed.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method, readsV2 } from '../method.ts'
import { AnyAddress, AnyHash, PackableAddress } from '../primitives.ts'

const group = 'addresses'

const packable = PackableAddress.describe('An address in any form.')

const Variant = z
  .object({
    '@type': z.literal('ext.utils.detectedAddressVariant'),
    b64: z.string().length(48).describe('Standard base64, with + and /.'),
    b64url: z.string().length(48).describe('Base64url, with - and _.'),
  })
  .meta({ id: 'DetectedAddressVariant', description: 'A friendly form in both alphabets.' })

const DetectedAddress = z
  .object({
    '@type': z.literal('ext.utils.detectedAddress'),
    raw_form: z.string().describe('`<workchain>:<64 hex digits>`, lowercase.'),
    bounceable: Variant.describe('Form for sending to contracts: what fails is returned.'),
    non_bounceable: Variant.describe('Form for sending to accounts that are not deployed yet.'),
    given_type: z
      .enum(['raw_form', 'friendly_bounceable', 'friendly_non_bounceable'])
      .describe('Form of the address in the request.'),
    test_only: z.boolean().describe('Whether it carries the flag of test networks.'),
  })
  .meta({ id: 'DetectedAddress', description: 'An address in all its forms.' })

const DetectedHash = z
  .object({
    '@type': z.literal('ext.utils.detectedHash'),
    b64: z.string().length(44).describe('Standard base64, padded.'),
    b64url: z.string().length(43).describe('Base64url without padding.'),
    hex: z.string().length(64).describe('Lowercase hex.'),
  })
  .meta({ id: 'DetectedHash', description: 'A hash in all its forms.' })

const RAW = exampleValues.OTHER
const BOUNCEABLE = exampleValues.OTHER_BOUNCEABLE
const NON_BOUNCEABLE = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'

export const addressesV2 = {
  detectAddress: method({
    summary: 'All forms of an address, and which one was given.',
    description: 'Computed without the chain. For one form only use packAddress or unpackAddress.',
    group,
    params: z.strictObject({ address: packable }),
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
    summary: 'All forms of a 256-bit hash.',
    description: 'Computed without the chain. Explorers print hashes in hex, v2 and v3 in base64.',
    group,
    params: z.strictObject({ hash: AnyHash.describe('32 bytes in base64, base64url or hex.') }),
    result: DetectedHash,
    rest: readsV2('detectHash'),
    freshness: 'fixed',
    example: {
      params: { hash: exampleValues.HASH },
      result: {
        '@type': 'ext.utils.detectedHash',
        b64: exampleValues.HASH,
        b64url: 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
        hex: '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3',
      },
    },
  }),

  packAddress: method({
    summary: 'Friendly form of an address.',
    description:
      'Flags of a friendly address stay as they are; a raw one becomes bounceable. Computed without the chain.',
    group,
    params: z.strictObject({ address: packable }),
    result: z.string().length(48).describe('48 characters of base64url.'),
    rest: readsV2('packAddress'),
    freshness: 'fixed',
    example: { params: { address: RAW }, result: BOUNCEABLE },
  }),

  unpackAddress: method({
    summary: 'Raw form of an address, uppercase.',
    description: 'The spelling v3 prints. Computed without the chain.',
    group,
    params: z.strictObject({ address: AnyAddress.describe('An address in any form.') }),
    result: z.string().describe('`<workchain>:<64 hex digits>`, uppercase.'),
    rest: readsV2('unpackAddress'),
    freshness: 'fixed',
    example: { params: { address: NON_BOUNCEABLE }, result: RAW },
  }),
}
