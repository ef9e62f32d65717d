// An address as it is given, and as decoded bodies show it.

import { Address } from '@ton/core'

export const owner = Address.parse(`0:${'AB'.repeat(32)}`)

export const std = {
  '@type': 'addr_std',
  anycast: { '@type': 'nothing_from_maybe' },
  workchain_id: '0',
  address: 'AB'.repeat(32),
}
