// The rules, in the order they are tried: later ones see what earlier ones made.

import type { Rule } from '../rule.ts'
import { dedustDeposit } from './dedust/deposit.ts'
import { dedustSwap } from './dedust/swap.ts'
import { dedustWholeDeposit } from './dedust/wholeDeposit.ts'
import { dedustWithdrawal } from './dedust/withdrawal.ts'
import { jettonBurn } from './jettons/burn.ts'
import { jettonMint } from './jettons/mint.ts'
import { proxyTonTransfer } from './jettons/proxyTon.ts'
import { jettonTransfer } from './jettons/transfer.ts'
import { stonfiSwap } from './stonfi/swap.ts'
import { stonfiSwapV2 } from './stonfi/swapV2.ts'

export const ACTION_RULES: readonly Rule[] = [
  jettonTransfer,
  proxyTonTransfer,
  dedustDeposit,
  dedustWholeDeposit,
  dedustWithdrawal,
  jettonBurn,
  dedustSwap,
  stonfiSwap,
  stonfiSwapV2,
  jettonMint,
]
