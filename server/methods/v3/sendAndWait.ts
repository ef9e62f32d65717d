import { toHex } from '../../../shared/hex.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { sendAndWaitV3 } from '../../../shared/v3/sendAndWait.ts'
import { tracesV3 } from '../../../shared/v3/traces.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { hashesOf } from '../waiting/sentMessage.ts'
import type { MessageWaits, Reached } from '../waiting/waiting.ts'
import { writeObject } from '../written.ts'
import { readPendingTraces, writePendingTrace } from './pending.ts'
import type { TracesPage } from './traces.ts'
import type { PendingNeeds } from './wantedTraces.ts'

type Methods = typeof sendAndWaitV3
type Query = Params<Methods['v3.sendAndWait']>

export interface SendAndWaitNeeds {
  readonly waiting: Pick<MessageWaits, 'run' | 'follow'>
  readonly pending: PendingNeeds
  readonly page: TracesPage
}

export function sendAndWaitHandlers({ waiting, pending, page }: SendAndWaitNeeds): WritingHandlers<Methods> {
  async function finished(traceId: Uint8Array, { include_actions, supported_action_types }: Query, call: Call) {
    const named = tracesV3['v3.traces'].params.parse({ trace_id: [toHex(traceId)], include_actions })
    return await page.one({ ...named, supported_action_types }, call)
  }

  /** The part in blocks, and the rest as it is predicted. */
  async function predicted({ message }: Reached, { include_actions, supported_action_types }: Query, call: Call) {
    waiting.follow(message, call)
    const query = { ext_msg_hash: [message.hashNorm], supported_action_types }
    const { found, extras } = await readPendingTraces(pending, query, call)
    const [first] = found
    const trace = first === undefined ? null : await writePendingTrace(first, include_actions, call)
    return { trace, ...extras }
  }

  return {
    async 'v3.sendAndWait'(query, call) {
      const order = { boc: query.boc, level: query.wait, timeoutMs: query.timeout_ms }
      const reached = await waiting.run(order, call)
      const { message, inBlock } = reached
      const isFinished = inBlock?.level === 'finalized'
      const found = isFinished ? await finished(inBlock.traceId, query, call) : await predicted(reached, query, call)
      const status = inBlock?.level ?? 'pending'
      return writeObject<Result<Methods['v3.sendAndWait']>>({ ...hashesOf(message), status, ...found })
    },
  }
}
