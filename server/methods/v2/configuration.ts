import { ApiError } from '../../../shared/errors.ts'
import { toDigits } from '../../../shared/primitives.ts'
import { type configurationV2, MOST_LIBRARIES } from '../../../shared/v2/configuration.ts'
import { type Chain, masterBlock, type VerifiedConfig } from '../../node/index.ts'
import type { Handlers } from '../call.ts'
import { toConfigInfo, toLibraries } from '../view/config.ts'

type ConfiguredChain = Pick<Chain, 'head' | 'idOf' | 'config' | 'libraries'>

const TOO_MANY = 'INVALID_FIELD: Field library_list has invalid value : too many libraries requested, 16 maximum'

export function configurationHandlers(chain: ConfiguredChain): Handlers<typeof configurationV2> {
  const read = async (
    wanted: readonly number[] | 'all',
    seqno: number | undefined,
    signal: AbortSignal,
  ): Promise<VerifiedConfig> => chain.config(await masterBlock(chain, seqno, { signal }), wanted, { signal })
  return {
    async getConfigParam({ param, config_id, seqno }, { signal }) {
      const number = param ?? config_id ?? 0
      const { params } = await read([number], seqno, signal)
      return toConfigInfo(params.get(number) ?? null)
    },

    async getConfigAll({ seqno }, { signal }) {
      return toConfigInfo((await read('all', seqno, signal)).config.params.root)
    },

    async getGlobalBalance({ seqno }, { signal }) {
      const { globalBalance } = await read([0], seqno, signal)
      if (globalBalance === null)
        throw new ApiError('upstream', 'LITE_SERVER_UNKNOWN: the state of this block is pruned')
      return { '@type': 'ext.globalBalance', coins: toDigits(globalBalance) }
    },

    async getLibraries({ libraries }, { signal }) {
      if (libraries.length > MOST_LIBRARIES) throw new ApiError('upstream', TOO_MANY)
      return await toLibraries(libraries.length === 0 ? new Map() : await chain.libraries(libraries, { signal }), {
        signal,
      })
    },
  }
}
