// Parts of states of a verified lite server: whole states, the configuration, libraries, shards, statistics.

import { sameBytes, sha256 } from '../../cell/index.ts'
import { NO_BLOCK } from '../blockId.ts'
import { configParts, type LiteServer } from '../liteServer.ts'
import {
  ProofError,
  readAhead,
  verifyConfig,
  verifyLibrariesWithProof,
  verifyPreviousBlocks,
  verifyShardInfo,
  verifyShards,
  verifyState,
  verifyValidatorStats,
} from '../verify/index.ts'
import { ServerReads } from './serverReads.ts'
import { bitIf, type VerifiedTools } from './verifiedTools.ts'

type Parts = Pick<
  LiteServer,
  'state' | 'config' | 'validatorStats' | 'libraries' | 'librariesWithProof' | 'shards' | 'shardInfo'
>

function verifiedLibraries({ on, trust }: VerifiedTools): Pick<LiteServer, 'libraries' | 'librariesWithProof'> {
  const librariesAt: LiteServer['librariesWithProof'] = (id, hashes, mode = 0, options = {}) =>
    on(id, options, async (server) => {
      const answer = { ...(await server.librariesWithProof(id, hashes, mode, options)), mode }
      verifyLibrariesWithProof(id, hashes, await readAhead(answer, options))
      return answer
    })
  return {
    async libraries(hashes, options = {}) {
      const { id } = await trust.read(options)
      return (await librariesAt(id, hashes, 0, options)).result
    },
    librariesWithProof: librariesAt,
  }
}

export function verifiedParts(tools: VerifiedTools): Parts {
  const { on, finder } = tools
  return {
    state: (id, options = {}) =>
      on(id, options, async (server) => {
        const hash = await new ServerReads(server).stateHash(id, options)
        const answer = await server.state(id, options)
        const root = verifyState(id, hash, (await readAhead(answer, options)).data)
        const fileHash = Buffer.from(sha256(answer.data), 'latin1')
        if (id.seqno === 0 && !sameBytes(fileHash, id.fileHash))
          throw new ProofError('hash', 'the bytes of the zerostate have another hash')
        return { id, rootHash: root.hashBytes(), fileHash, data: answer.data }
      }),
    async config(id, params, mode = 0, options = {}) {
      const isOfKeyBlock = (mode & configParts.fromKeyBlock) !== 0
      const of = isOfKeyBlock ? ((await finder.keyBlockAt(id, options)) ?? id) : id
      return await on(id, options, async (server) => {
        const answer = { ...(await server.config(id, params, mode, options)), mode }
        verifyConfig(of, params, await readAhead(answer, options))
        if (!isOfKeyBlock && (mode & configParts.previousBlocks) !== 0) verifyPreviousBlocks(id, answer)
        return answer
      })
    },
    validatorStats: (id, query, options) =>
      on(id, options, async (server) => {
        const answer = await server.validatorStats(id, query, options)
        verifyValidatorStats(id, query, await readAhead(answer, options))
        return {
          ...answer,
          mode: bitIf(1, query.startAfter !== undefined) | bitIf(4, query.modifiedAfter !== undefined),
        }
      }),
    ...verifiedLibraries(tools),
    shards: (id, options) =>
      on(id, options, async (server) => {
        const answer = await server.shards(id, options)
        verifyShards(id, answer)
        return answer
      }),
    shardInfo: (id, query, options) =>
      on(id, options, async (server) => {
        const answer = await server.shardInfo(id, query, options)
        const top = verifyShardInfo(id, query, query.exact, answer)
        return { ...answer, shardBlock: top?.id ?? NO_BLOCK }
      }),
  }
}
