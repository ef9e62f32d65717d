// A call run by the json-rpc-2.0 library, whose methods are those of the registry.

import { type JSONRPCResponse, JSONRPCServer } from 'json-rpc-2.0'
import { ApiError, errorTable, errorTexts } from '../../../shared/errors.ts'
import type { Registry } from '../../../shared/registry.ts'
import type { ChargedCall, Dispatch, Question, RunAnswer } from '../../methods/index.ts'

function outcomeOf(response: JSONRPCResponse | null, call: ChargedCall): RunAnswer {
  const result: RunAnswer | undefined = response?.result
  if (result) return result
  const cause: unknown = response?.error?.data
  throw cause instanceof ApiError
    ? cause
    : new ApiError('internal', undefined, { requestId: call.requestId }, { cause })
}

interface Asked {
  readonly question: Question
  readonly call: ChargedCall
}

export function createLibraryRun(registry: Registry, dispatch: Dispatch) {
  const server = new JSONRPCServer<Asked>({ errorListener: () => {} })
  for (const name of Object.keys(registry)) {
    server.addMethodAdvanced(name, async (_, { question, call }) => {
      const result = await dispatch.ask(question, call)
      return { jsonrpc: '2.0', id: 0, result }
    })
  }
  server.mapErrorToJSONRPCErrorResponse = (id, error) => ({
    jsonrpc: '2.0',
    id,
    error: { code: errorTable.internal.rpc, message: errorTexts.internal, data: error },
  })

  /** Through the library, unless the answer is known, or the method is not: then there is nothing to run. */
  return (method: string, question: Question, call: ChargedCall): RunAnswer | Promise<RunAnswer> => {
    if (question.entry === null) return dispatch.ask(question, call)
    const recalled = dispatch.recall(question, call)
    if (recalled) return recalled
    const request = { jsonrpc: '2.0', id: 0, method, params: question.params } as const
    return Promise.resolve(server.receive(request, { question, call })).then((response) => outcomeOf(response, call))
  }
}
