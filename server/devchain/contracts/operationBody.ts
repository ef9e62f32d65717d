// The parts message bodies are made of.

import { type Builder, beginCell, type Cell } from '../../cell/index.ts'

/** Operation and query id, with which nearly all bodies begin. */
export const operationBody = (op: number, queryId: bigint): Builder =>
  beginCell().storeUint(op, 32).storeUint(queryId, 64)

/** Bytes in as many cells as they take, each holding the next; the first begins with these. */
export function snake(bytes: Uint8Array): Cell {
  let rest: Cell | null = null
  for (let end = bytes.length, at = 0; end > 0; end = at) {
    at = Math.floor((end - 1) / 127) * 127
    const part = beginCell().storeBytes(bytes.subarray(at, end))
    rest = (rest === null ? part : part.storeRef(rest)).end()
  }
  return rest ?? beginCell().end()
}

/** A text as wallets show it: 32 zero bits and UTF-8, continued in references. */
export const commentBody = (text: string): Cell => snake(Buffer.concat([Buffer.alloc(4), Buffer.from(text, 'utf8')]))
