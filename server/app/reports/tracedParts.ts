// Parts of the service that do what they did, and note it as spans of the trace that the running work belongs to. Names and
// kinds only: no parameter of a call or a statement.

import type { Dispatch } from '../../methods/index.ts'
import { type Connect, type LiteConnection, readingVerbs } from '../../node/index.ts'
import type { Attributes, Traces } from '../../observe/index.ts'
import type { Sql, SqlText } from '../../store/index.ts'
import type { TvmRuns, TvmShares } from '../../tvm/index.ts'

/** A span for each call, inside that of its request; a call without one begins a trace. */
export function tracedDispatch(dispatch: Dispatch, traces: Traces): Dispatch {
  type Question = ReturnType<Dispatch['question']>
  type Call = Parameters<Dispatch['ask']>[1]

  /** What an unknown method is called is the caller's own text. */
  function spanOf({ entry }: Question, { span, requestId }: Call, more: Attributes = {}) {
    const name = entry?.name ?? 'unknown method'
    const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': name, 'tonrpc.request_id': requestId, ...more }
    if (span !== undefined) return span?.child(name, 'internal', attributes) ?? null
    return traces.begin(name, 'server', undefined, attributes)
  }

  const ask: Dispatch['ask'] = (question, call) =>
    traces.within(spanOf(question, call), () => dispatch.ask(question, call))

  return {
    question: (name, params) => dispatch.question(name, params),
    refuse: (name, error, call) => dispatch.refuse(name, error, call),
    exhausted: (call) => dispatch.exhausted(call),
    ask,
    recall(question, call) {
      const answer = dispatch.recall(question, call)
      return answer === null ? null : traces.within(spanOf(question, call, { 'tonrpc.cached': true }), () => answer)
    },
    run: (name, params, call) => ask(dispatch.question(name, params), call),
    perform: (name, params, call) =>
      traces.within(spanOf(dispatch.question(name, params), call), () => dispatch.perform(name, params, call)),
  }
}

/** What a statement does and with which table first: `select transactions`. */
function summaryOf({ text }: SqlText): string {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+([a-z_]\w*)/i.exec(text)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}

/** A span for each statement, with its text, in which values are `$1`, `$2`. */
export const tracedSql = (database: Sql, traces: Traces): Sql => ({
  query(statement, options) {
    const span = traces.current()
    if (span === null) return database.query(statement, options)
    const summary = summaryOf(statement)
    const query = span.child(summary, 'client', {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      'db.query.text': statement.text,
    })
    return Promise.resolve(traces.within(query, () => database.query(statement, options)))
  },
})

function tracedRuns(runs: TvmRuns, traces: Traces): TvmRuns {
  const span = (name: string) => traces.current()?.child(name, 'internal') ?? null
  return {
    runGetMethod: (...run) => Promise.resolve(traces.within(span('tvm get-method'), () => runs.runGetMethod(...run))),
    emulate: (...run) => Promise.resolve(traces.within(span('tvm transaction'), () => runs.emulate(...run))),
  }
}

/** A span for each run of the TVM, its time in the queue included. */
export const tracedPool = (pool: TvmShares, traces: Traces): TvmShares => ({
  ...tracedRuns(pool, traces),
  share: (name) => tracedRuns(pool.share(name), traces),
})

/** A span for each query to a lite server. */
export const tracedConnect =
  (connect: Connect, traces: Traces): Connect =>
  async (server, signal): Promise<LiteConnection> => {
    const connection = await connect(server, signal)
    const span = (verb: string) =>
      traces.current()?.child(`lite server ${verb}`, 'client', {
        'rpc.system': 'adnl',
        'rpc.method': verb,
        'server.address': server.host,
        'server.port': server.port,
      }) ?? null
    return {
      ...connection,
      ...readingVerbs(({ verb, options }, run) =>
        Promise.resolve(traces.within(span(verb), () => run(connection, options))),
      ),
      send: (message, options) => Promise.resolve(traces.within(span('send'), () => connection.send(message, options))),
    }
  }
