// What is kept of a contract's code.

import { type Cell, writeBoc } from '../cell/index.ts'
import { detectInterfaces, methodIdsOf } from '../interfaces/index.ts'
import type { CodeRow } from '../store/index.ts'

const NO_CRC = 0

/** The row of a code that was seen whole. */
export function codeRow(code: Cell): CodeRow {
  const methods = methodIdsOf(code)
  return {
    hash: code.hashBytes(),
    boc: writeBoc(code, NO_CRC),
    methods,
    interfaces: detectInterfaces(code.hash(), methods),
  }
}
