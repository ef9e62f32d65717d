// Checks the arguments of a get-method that a lite client requests: our chain and the proxy refuse the same ones.

import { CellError, MAX_DEPTH, readBoc } from '../cell/index.ts'
import { LiteError } from './liteErrors.ts'
import { type MethodQuery, runParts } from './liteServer.ts'

const MOST_PARAMS_BYTES = 65_535
const ALL_PARTS = Object.values(runParts).reduce((all: number, part) => all | part, 0)

/** Throws LiteError `badQuery` in the words of lite servers. */
export function checkMethodQuery({ mode, params }: Pick<MethodQuery, 'mode' | 'params'>): void {
  if ((mode & ~ALL_PARTS) !== 0) throw new LiteError('badQuery', 'unsupported mode in runSmcMethod')
  if (params.length > MOST_PARAMS_BYTES) throw new LiteError('badQuery', 'more than 64k parameter bytes passed')
  if (params.length === 0) return
  try {
    readBoc(params, { maxDepth: MAX_DEPTH })
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    const why = `[Error : 0 : cannot deserialize bag-of-cells: ${cause.message}]`
    throw new LiteError('badQuery', `cannot deserialize parameter list boc: ${why}`, { cause })
  }
}
