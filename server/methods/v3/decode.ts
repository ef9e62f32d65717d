import { ApiError } from '../../../shared/errors.ts'
import { clip } from '../../../shared/primitives.ts'
import type { decodeV3 } from '../../../shared/v3/decode.ts'
import { BocError, type Cell, MAX_DEPTH, readBoc } from '../../cell/index.ts'
import { DecodeBudget, type DecodedRecord, decodeBody, knownOperationName } from '../../decode/index.ts'
import { inSlices } from '../../fairness/index.ts'
import type { Handlers } from '../call.ts'

const UINT32 = 2 ** 32
const INT32 = 2 ** 31

/** Text of digits alone is hex too, as long as it fits; null for what is no operation. */
function operationOf(text: string): number | null {
  const hex = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(text)?.[1]
  if (hex !== undefined) return Number.parseInt(hex, 16)
  if (!/^-?\d{1,10}$/.test(text)) return null
  const value = Number(text)
  if (value < -INT32 || value >= UINT32) return null
  return value < 0 ? value + UINT32 : value
}

const unknown = (reason: string): DecodedRecord => ({ error: `unknown: ${reason}` })

/** A body of fewer bytes has no room for a cell. */
const LEAST_BYTES = 10

function cellOf(text: string): Cell | DecodedRecord {
  const isBase64 = text.startsWith('te6')
  const fits = isBase64
    ? /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0
    : /^(?:[0-9a-f]{2})*$/i.test(text)
  if (!fits) return unknown(isBase64 ? 'failed to decode base64: not base64' : 'failed to decode hex: not hex')
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'hex')
  if (bytes.length < LEAST_BYTES) return unknown(`boc is too small, size ${bytes.length}`)
  try {
    return readBoc(bytes, { maxDepth: MAX_DEPTH })
  } catch (error) {
    if (!(error instanceof BocError)) throw error
    return unknown(`failed to deserialize boc: ${error.message}`)
  }
}

const isCell = (found: Cell | DecodedRecord): found is Cell => !('error' in found)

function said(text: string, budget: DecodeBudget): DecodedRecord {
  const found = cellOf(text)
  return isCell(found) ? (decodeBody(found, budget) ?? unknown('no parser succeeded')) : found
}

export const decodeHandlers: Handlers<typeof decodeV3> = {
  async 'v3.decode'({ opcodes, bodies }, { caller }) {
    const budget = DecodeBudget.ofRequest()
    return {
      opcodes: opcodes.map((text, i) => {
        const operation = operationOf(text)
        if (operation === null)
          throw new ApiError('invalidParams', `invalid opcode format at index ${i}: ${clip(text)}`, {
            param: 'opcodes',
          })
        return knownOperationName(operation) ?? 'unknown'
      }),
      bodies: await inSlices(bodies, (text) => said(text, budget), caller),
    }
  },
}
