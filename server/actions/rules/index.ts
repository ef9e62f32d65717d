// The rules, in the order they are tried: later ones see what earlier ones made.

import type { Rule } from '../rule.ts'
import { jettonBurn } from './jettons/burn.ts'
import { jettonMint } from './jettons/mint.ts'
import { proxyTonTransfer } from './jettons/proxyTon.ts'
import { jettonTransfer } from './jettons/transfer.ts'
import { stonfiSwap } from './stonfi/swap.ts'
import { stonfiSwapV2 } from './stonfi/swapV2.ts'

export const ACTION_RULES: readonly Rule[] = [
  jettonTransfer,
  proxyTonTransfer,
  jettonBurn,
  stonfiSwap,
  stonfiSwapV2,
  jettonMint,
]
