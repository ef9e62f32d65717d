// v2's own envelope, over REST and JSON-RPC alike: `ok` with `result`, or `error` as text with `code`, and the HTTP
// status equal to `code`.

import type { ApiError, ErrorKind } from '../../../shared/errors.ts'
import { type Dialect, type ReplyEnvelope, soleText } from './dialect.ts'

/** Unix seconds, upstreams called (`_` for none), milliseconds, `:c` when the answer was cached. */
const extra = (ms: number, isCached: boolean): string =>
  `"@extra":"${Math.floor(Date.now() / 1000)}:_:${ms.toFixed(3)}${isCached ? ':c' : ''}"`

type Tail = (id: string | null) => string

const restTail: Tail = () => '}'
const rpcTail: Tail = (id) => `,"jsonrpc":"2.0"${id === null ? '' : `,"id":${id}`}}`

const TEXT: Partial<Record<ErrorKind, string>> = { methodNotFound: 'Unknown method' }

const textOf = (error: ApiError, { verb }: ReplyEnvelope): string =>
  error.kind === 'invalidParams'
    ? `failed to parse ${verb.toLowerCase()} request: ${error.message}`
    : soleText(error, TEXT[error.kind])

const speaking = (tail: Tail): Dialect => ({
  around: (isCached, { ms, id }) => ['{"ok":true,"result":', `,${extra(ms, isCached)}${tail(id)}`],

  failure(error, envelope) {
    const status = error.httpStatus
    const text = JSON.stringify(textOf(error, envelope))
    return {
      status,
      text: `{"ok":false,"error":${text},"code":${status},${extra(envelope.ms, false)}${tail(envelope.id)}`,
      retryAfter: error.data.retryAfter,
    }
  },
})

/** v2 over REST. */
export const toncenter: Dialect = speaking(restTail)

/** The same over JSON-RPC: also says `jsonrpc`, and `id` where the call had one. */
export const toncenterRpc: Dialect = speaking(rpcTail)
