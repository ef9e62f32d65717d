import { toBase64 } from '../../../shared/base64.ts'
import type { blocks } from '../../../shared/v2/blocks.ts'
import type { LiteServer } from '../../node/index.ts'
import type { Handlers } from '../call.ts'
import { upstream } from '../errors.ts'
import { toBlockId, toZeroStateId } from '../view/block.ts'

export const blockHandlers = (node: Pick<LiteServer, 'masterchainInfo'>): Handlers<typeof blocks> => ({
  async getMasterchainInfo(_params, { signal }) {
    const { last, stateRootHash, init } = await upstream(node.masterchainInfo({ signal }))
    return {
      '@type': 'blocks.masterchainInfo',
      last: toBlockId(last),
      state_root_hash: toBase64(stateRootHash),
      init: toZeroStateId(init),
    }
  },
})
