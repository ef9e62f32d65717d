import { ApiError } from '../../../shared/errors.ts'
import { clip } from '../../../shared/primitives.ts'
import type { decodeV3 } from '../../../shared/v3/decode.ts'
import { BocError, MAX_DEPTH, readingBoc } from '../../cell/index.ts'
import { DecodeBudget, type DecodedRecord, decodeBody, knownOperationName } from '../../decode/index.ts'
import { inPieces, SlicedWork, type Slicing } from '../../fairness/index.ts'
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

async function said(text: string, budget: DecodeBudget, slicing: Slicing): Promise<DecodedRecord> {
  const isBase64 = text.startsWith('te6')
  const fits = isBase64
    ? /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0
    : /^[0-9a-f]*$/i.test(text) && text.length % 2 === 0
  if (!fits) return unknown(isBase64 ? 'failed to decode base64: not base64' : 'failed to decode hex: not hex')
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'hex')
  if (bytes.length < LEAST_BYTES) return unknown(`boc is too small, size ${bytes.length}`)
  try {
    const body = await inPieces(readingBoc(bytes, { maxDepth: MAX_DEPTH }), slicing)
    return decodeBody(body, budget) ?? unknown('no parser succeeded')
  } catch (error) {
    if (!(error instanceof BocError)) throw error
    return unknown(`failed to deserialize boc: ${error.message}`)
  }
}

export const decodeHandlers: Handlers<typeof decodeV3> = {
  async 'v3.decode'({ opcodes, bodies }, call) {
    const names = opcodes.map((text, i) => {
      const operation = operationOf(text)
      if (operation === null)
        throw new ApiError('invalidParams', `invalid opcode format at index ${i}: ${clip(text)}`, {
          param: 'opcodes',
        })
      return knownOperationName(operation) ?? 'unknown'
    })
    const budget = DecodeBudget.ofRequest()
    const slices = new SlicedWork(call)
    const decoded: DecodedRecord[] = []
    for (const text of bodies) {
      if (slices.isDue) await slices.rest()
      decoded.push(await said(text, budget, call))
    }
    return { opcodes: names, bodies: decoded }
  },
}
