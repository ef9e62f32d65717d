// One JSON-RPC call, parsed and checked before anything runs. Ids never reach the library that runs calls: they are checked
// here and echoed as they came.

import { ApiError } from '../../../shared/errors.ts'
import { isObject } from '../../../shared/isObject.ts'
import type { Dispatch, Question } from '../../methods/index.ts'
import { type ParamPlan, type Plans, paramsOfList, paramsOfObject } from './callParams.ts'

export type RpcDoor = 'strict' | 'toncenter'

interface Head {
  /** JSON text of the id, null when there was none or none that can be one. */
  readonly id: string | null
  /** A notification: it gets no reply. */
  readonly silent: boolean
}

/** A call, or the error that parsing it threw. */
export type ParsedCall =
  | (Head & {
      readonly method: string
      readonly question: Question
      /** Names of its params where unknown ones are ignored; none where they are refused. */
      readonly names: readonly string[]
      /** Masterchain block the index must have for this call; null when it names none, NaN when it is no number. */
      readonly minSeqno: number | null
    })
  | (Head & { readonly method: string | null; readonly question: null; readonly thrown: unknown })

export interface ParserParts {
  readonly plans: Plans
  readonly dispatch: Pick<Dispatch, 'question'>
}

type Item = Readonly<Record<string, unknown>>

/** JSON text of an id of an allowed type, undefined for any other. */
export function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return JSON.stringify(id)
  if (typeof id === 'bigint') return id.toString()
  if (id === null || (typeof id === 'number' && Number.isFinite(id))) return String(id)
  return undefined
}

const WRONG_VERSION = 'Add "jsonrpc": "2.0" to the call; /api/v2/jsonRPC takes calls without it.'

const WRONG_PARAMS = 'Send `params` as an object of names and values, or as a list in declared order, or leave it out.'

const WRONG_ID = 'Send `id` as a text or a number, or leave it out to get no reply.'

/** Throws ApiError `invalidRequest` for an item that is not a request. */
function methodOf({ method, params, jsonrpc }: Item, door: RpcDoor, badId: boolean): string {
  const wrongVersion = door === 'strict' && jsonrpc !== '2.0'
  if (typeof method !== 'string') throw new ApiError('invalidRequest')
  if (badId) throw new ApiError('invalidRequest', undefined, door === 'strict' ? { advice: WRONG_ID } : {})
  if (wrongVersion) throw new ApiError('invalidRequest', undefined, { advice: WRONG_VERSION })
  if (params !== undefined && (typeof params !== 'object' || (params === null && door === 'strict'))) {
    throw new ApiError('invalidRequest', undefined, { advice: WRONG_PARAMS })
  }
  return method
}

function toParams(plan: ParamPlan, params: unknown, door: RpcDoor): Record<string, unknown> {
  if (typeof params !== 'object' || params === null) return {}
  if (!Array.isArray(params)) return paramsOfObject(plan, params, door === 'strict')
  if (door === 'strict') return paramsOfList(plan, params)
  if (params.length > 0) throw new ApiError('invalidParams', 'params must contain an object')
  return {}
}

const namesOf = (params: unknown, door: RpcDoor): string[] =>
  door === 'toncenter' && isObject(params) ? Object.keys(params) : []

/** A member of the call itself: on a WebSocket calls have no headers of their own. */
const minSeqnoOf = ({ min_seqno: seqno }: Item): number | null =>
  seqno === undefined ? null : Number.isSafeInteger(seqno) && Number(seqno) >= 0 ? Number(seqno) : Number.NaN

/** Never throws: the result holds the error. */
export function parseCall(item: unknown, door: RpcDoor, { plans, dispatch }: ParserParts): ParsedCall {
  let id: string | undefined
  let silent = false
  let method: string | null = null
  try {
    if (!isObject(item)) throw new ApiError('invalidRequest')
    const hasId = Object.hasOwn(item, 'id')
    id = hasId ? idText(item.id) : undefined
    method = methodOf(item, door, hasId && id === undefined)
    // The toncenter dialect answers a call without an id like all others.
    silent = door === 'strict' && !hasId
    const plan = plans.get(method)
    const params = plan ? toParams(plan, item.params, door) : {}
    const minSeqno = door === 'strict' ? minSeqnoOf(item) : null
    const question = dispatch.question(method, params)
    return { id: id ?? null, silent, method, question, names: namesOf(item.params, door), minSeqno }
  } catch (thrown) {
    return { id: id ?? null, silent, method, question: null, thrown }
  }
}

/** Id and kind of an item that is refused without being parsed, because of the batch it is in. */
export function headOf(item: unknown, door: RpcDoor): Head {
  if (!isObject(item)) return { id: null, silent: false }
  return { id: idText(item.id) ?? null, silent: door === 'strict' && !Object.hasOwn(item, 'id') }
}
