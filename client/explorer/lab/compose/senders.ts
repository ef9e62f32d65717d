// In whose name a message is sent.

import { chainState, type DevState } from '../../live.ts'
import type { AccountPlace } from './composedMessage.ts'

export type TestWallet = DevState['accounts'][number]

export type Sender = { readonly wallet: TestWallet } | { readonly from: AccountPlace }

/** Versions of wallets that can be ordered here. */
const SIGNED_KINDS: ReadonlySet<string> = new Set(['v3r1', 'v3r2', 'v4r1', 'v4r2', 'v5r1'])

/** Test accounts whose orders are signed here. */
export const testWallets = (): readonly TestWallet[] =>
  chainState.value?.accounts.filter(({ kind }) => SIGNED_KINDS.has(kind)) ?? []
