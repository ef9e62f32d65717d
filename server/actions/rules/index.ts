// The rules, in the order they are tried: later ones see what earlier ones made.

import type { Rule } from '../rule.ts'
import { jettonTransfer } from './jettons/transfer.ts'

export const ACTION_RULES: readonly Rule[] = [jettonTransfer]
