// Queues of messages of a verified lite server: outbound queues of shards, and dispatch queues of accounts.

import type { LiteServer } from '../liteServer.ts'
import { shardsMeet, verifyDispatchMessages, verifyDispatchQueues, verifyQueueSize } from '../verify/index.ts'
import { ServerReads } from './serverReads.ts'
import { bitIf, type VerifiedTools } from './verifiedTools.ts'

const EMPTY = new Uint8Array(0)

export function verifiedQueues({
  on,
  trust,
}: VerifiedTools): Pick<LiteServer, 'queueSizes' | 'blockQueueSize' | 'dispatchQueues' | 'dispatchMessages'> {
  return {
    async queueSizes(shard, options = {}) {
      const { id } = await trust.read(options)
      const { sizes, externalLimit } = await on(id, options, (server) =>
        new ServerReads(server).queueSizes(id, options),
      )
      return { shards: sizes.filter((one) => shard === undefined || shardsMeet(one.id, shard)), externalLimit }
    },
    blockQueueSize: (id, wantProof = false, options = {}) =>
      on(id, options, async (server) => {
        const answer = await server.blockQueueSize(id, true, options)
        const size = verifyQueueSize(id, answer)
        return { mode: wantProof ? 1 : 0, id, size, proof: wantProof ? answer.proof : EMPTY }
      }),
    dispatchQueues: (id, query, options) =>
      on(id, options, async (server) => {
        const answer = await server.dispatchQueues(id, { ...query, wantProof: true }, options)
        verifyDispatchQueues(id, query, answer)
        const mode = bitIf(1, query.wantProof) | bitIf(2, query.after !== undefined)
        return { ...answer, mode, proof: query.wantProof === true ? answer.proof : EMPTY }
      }),
    dispatchMessages: (id, query, options) =>
      on(id, options, async (server) => {
        const answer = await server.dispatchMessages(id, { ...query, wantProof: true }, options)
        verifyDispatchMessages(id, query, answer)
        const mode = bitIf(1, query.wantProof) | bitIf(2, query.onlyThisAccount) | bitIf(4, query.wantBodies)
        return { ...answer, mode, proof: query.wantProof === true ? answer.proof : EMPTY }
      }),
  }
}
