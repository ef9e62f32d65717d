// The descriptor of an incoming message in a cell of its own, for those that refer to it from elsewhere in the block.

import type { Cell } from '../../../cell/index.ts'
import { type InMsg, storeInMsg, toCell } from '../../../tlb/index.ts'

export const inMsgCell = (value: InMsg): Cell => toCell(value, storeInMsg)
