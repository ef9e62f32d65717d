import { type ParsedAddress, toFriendly, toFriendlyStandard, toRaw, toRawUpper } from '../../../shared/address.ts'
import { toBase64, toBase64Url } from '../../../shared/base64.ts'
import { toHex } from '../../../shared/hex.ts'
import type { addressesV2 } from '../../../shared/v2/addresses.ts'
import type { Handlers } from '../call.ts'

const variant = (address: ParsedAddress, bounceable: boolean) => {
  const spelled = { ...address, bounceable }
  return {
    '@type': 'ext.utils.detectedAddressVariant' as const,
    b64: toFriendlyStandard(spelled),
    b64url: toFriendly(spelled),
  }
}

const givenType = ({ form, bounceable }: ParsedAddress) => {
  if (form === 'raw') return 'raw_form' as const
  return bounceable ? ('friendly_bounceable' as const) : ('friendly_non_bounceable' as const)
}

export const addressHandlers: Handlers<typeof addressesV2> = {
  detectAddress: ({ address }) => ({
    '@type': 'ext.utils.detectedAddress',
    raw_form: toRaw(address),
    bounceable: variant(address, true),
    non_bounceable: variant(address, false),
    given_type: givenType(address),
    test_only: address.testOnly,
  }),

  detectHash: ({ hash }) => ({
    '@type': 'ext.utils.detectedHash',
    b64: toBase64(hash),
    b64url: toBase64Url(hash),
    hex: toHex(hash),
  }),

  packAddress: ({ address }) => toFriendly(address),

  unpackAddress: ({ address }) => toRawUpper(address),
}
