import { fitsFriendly } from '../../../shared/address.ts'
import { toBase64 } from '../../../shared/base64.ts'
import { ApiError } from '../../../shared/errors.ts'
import type { Params } from '../../../shared/registry.ts'
import type { sendingV2 } from '../../../shared/v2/sending.ts'
import { type Cell, CellError, readingBoc } from '../../cell/index.ts'
import type { RunSettings } from '../../contracts/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { accountAt, type Chain } from '../../node/index.ts'
import type { StateInit } from '../../tlb/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import type { Call, Handlers } from '../call.ts'
import { asChainError } from '../errors/chainErrors.ts'
import { callerTools } from '../tvm/callerTools.ts'
import { estimateFees } from '../tvm/fees.ts'
import { requireOrdinaryBody } from '../tvm/ordinaryBody.ts'
import { refusalAdvice } from '../waiting/refusalAdvice.ts'
import type { SendMessage } from './messages.ts'

async function cellOf(boc: Uint8Array, param: string, call: Call): Promise<Cell> {
  try {
    return await inPieces(readingBoc(boc), call)
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new ApiError('upstream', `INVALID_BAG_OF_CELLS: ${param}`, {}, { cause })
  }
}

async function initOf(
  { init_code: code, init_data: data }: Params<typeof sendingV2.estimateFee>,
  call: Call,
): Promise<StateInit | null> {
  if (code === undefined) return null
  return {
    fixedPrefixLength: null,
    special: null,
    code: await cellOf(code, 'init_code', call),
    data: await cellOf(data ?? new Uint8Array(), 'init_data', call),
    library: null,
  }
}

export interface SendingNeeds {
  readonly chain: Chain
  readonly pool: Pick<TvmPool, 'share'>
  readonly settings: RunSettings
  readonly send: SendMessage
}

export function sendingHandlers({ chain, pool, settings, send }: SendingNeeds): Handlers<typeof sendingV2> {
  const hashesOfSent = async (boc: Uint8Array, call: Call) => {
    const { hash, hashNorm } = await send(boc, call)
    return { '@type': 'raw.extMessageInfo' as const, hash: toBase64(hash), hash_norm: toBase64(hashNorm) }
  }
  return {
    sendBocReturnHash: ({ boc }, call) => hashesOfSent(boc, call),

    async sendBocReturnHashNoError({ boc }, call) {
      try {
        return await hashesOfSent(boc, call)
      } catch (error) {
        const sent = asChainError(error)
        if (!(sent instanceof ApiError) || sent.kind !== 'upstream') throw error
        const advice = await refusalAdvice(chain, boc, sent.message, call)
        throw new ApiError('messageRefused', sent.message, advice, { cause: error })
      }
    },

    async estimateFee(params, call) {
      const { address, ignore_chksig: ignoreSignature } = params
      if (!fitsFriendly(address)) throw new ApiError('invalidParams', `there is no workchain ${address.workchain}`)
      const body = await cellOf(params.body, 'body', call)
      const init = await initOf(params, call)
      requireOrdinaryBody(body)
      const trial = { address, body, init, ignoreSignature }
      const { signal } = call
      const { id } = await chain.head({ signal })
      const setting = settings.begin(id, signal)
      const read = await accountAt(chain, address, id, signal)
      const at = { ...read, utime: Math.max(read.utime, chain.movedTo?.() ?? 0) }
      const fees = await estimateFees(callerTools({ chain, pool, setting }, call), at, trial, call)
      return {
        '@type': 'query.fees',
        source_fees: {
          '@type': 'fees',
          in_fwd_fee: Number(fees.inForward),
          storage_fee: Number(fees.storage),
          gas_fee: Number(fees.gas),
          fwd_fee: Number(fees.forward),
        },
        destination_fees: [],
      }
    },
  }
}
