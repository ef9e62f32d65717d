import { ApiError } from '../../../shared/errors.ts'
import type { configuration } from '../../../shared/v2/configuration.ts'
import {
  type BlockSource,
  type LiteServer,
  provenMaster,
  type VerifiedConfig,
  verifyConfig,
  verifyLibrariesWithProof,
} from '../../node/index.ts'
import type { Handlers } from '../call.ts'
import { upstream } from '../errors.ts'
import { toConfigInfo, toLibraries } from '../view/config.ts'

type Node = BlockSource & Pick<LiteServer, 'config' | 'librariesWithProof'>

const MOST_LIBRARIES = 16
const TOO_MANY = 'INVALID_FIELD: Field library_list has invalid value : too many libraries requested, 16 maximum'

export function configurationHandlers(node: Node): Handlers<typeof configuration> {
  const read = async (
    wanted: readonly number[] | 'all',
    seqno: number | undefined,
    signal: AbortSignal,
  ): Promise<VerifiedConfig> => {
    const block = await provenMaster(node, seqno, { signal })
    return verifyConfig(block, wanted, await node.config(block, wanted, 0, { signal }))
  }
  return {
    async getConfigParam({ param, config_id, seqno }, { signal }) {
      const number = param ?? config_id ?? 0
      const { params } = await upstream(read([number], seqno, signal))
      return toConfigInfo(params.get(number) ?? null)
    },

    async getConfigAll({ seqno }, { signal }) {
      return toConfigInfo((await upstream(read('all', seqno, signal))).config.params.root)
    },

    async getLibraries({ libraries }, { signal }) {
      if (libraries.length > MOST_LIBRARIES) throw new ApiError('upstream', TOO_MANY)
      const read = async () => {
        const block = await provenMaster(node, undefined, { signal })
        const answer = await node.librariesWithProof(block, libraries, 0, { signal })
        return verifyLibrariesWithProof(block, libraries, answer)
      }
      return toLibraries(libraries.length === 0 ? new Map() : await upstream(read()))
    },
  }
}
