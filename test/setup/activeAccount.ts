// An active account with code and data, as the node has it.

import type { Cell } from '../../server/cell/index.ts'
import { type Account, gramsOnly } from '../../server/tlb/index.ts'

interface ActiveAccount {
  readonly hash: Uint8Array
  readonly code: Cell
  readonly data: Cell
}

export const activeAccount = ({ hash, code, data }: ActiveAccount): Account => ({
  address: { kind: 'std', workchain: 0, hash, anycast: null },
  storageStat: { used: { cells: 1, bits: 1 }, dictHash: null, lastPaid: 0, duePayment: null },
  storage: {
    lastTransLt: 9n,
    balance: gramsOnly(5n),
    state: { kind: 'active', init: { fixedPrefixLength: null, special: null, code, data, library: null } },
  },
})
