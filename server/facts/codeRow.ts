// What is kept of a contract's code.

import { type Cell, NO_CRC, writeBoc } from '../cell/index.ts'
import { detectInterfaces, methodIdsOf } from '../interfaces/index.ts'
import type { CodeRow } from '../store/index.ts'

function rowOf(code: Cell, body: Cell): CodeRow {
  const methods = methodIdsOf(body)
  return {
    hash: code.hashBytes(),
    boc: writeBoc(code, NO_CRC),
    methods,
    interfaces: detectInterfaces(code.hash(), methods),
  }
}

/** The row of a code that was seen whole. */
export const codeRow = (code: Cell): CodeRow => rowOf(code, code)

/** The same of code that refers to a library, which is here. */
export const libraryCodeRow = (code: Cell, library: Cell): CodeRow => rowOf(code, library)
