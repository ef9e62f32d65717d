// `tonrpc classify`: a trace as a tree, with what the rules make of it.

import { existsSync } from 'node:fs'
import { ClassifyError } from './errors.ts'
import { readJsonFile, traceOfFile } from './file.ts'
import { traceOfService } from './service.ts'
import { traceText } from './tree.ts'

const HELP = `Usage: tonrpc classify <trace> [--url URL]

  <trace>    the id of a trace, or the hash of one of its transactions, in a running service;
             or a file with a trace in JSON, packed by gzip or not
  --url URL  where the service is; http://127.0.0.1:8081 without it`

const DEFAULT_URL = 'http://127.0.0.1:8081'

export interface ClassifyIo {
  out(text: string): void
  err(text: string): void
}

interface Order {
  readonly trace: string
  readonly url: string
}

/** Null for words that are no order. */
function orderOf(argv: readonly string[]): Order | null {
  const words = [...argv]
  const at = words.indexOf('--url')
  const [, url = DEFAULT_URL] = at < 0 ? [] : words.splice(at, 2)
  const [trace, ...others] = words
  return trace === undefined || trace.startsWith('-') || others.length > 0 ? null : { trace, url }
}

/** Runs the words after `classify` and answers with the exit code: 0 done, 1 not possible, 2 not understood. */
export async function runClassify(argv: readonly string[], { out, err }: ClassifyIo): Promise<number> {
  const order = orderOf(argv)
  if (order === null) {
    ;(argv.includes('--help') ? out : err)(HELP)
    return argv.includes('--help') ? 0 : 2
  }
  try {
    const { trace, url } = order
    const known = existsSync(trace) ? traceOfFile(readJsonFile(trace)) : await traceOfService(url, trace)
    out(traceText(known))
    return 0
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    err(error instanceof ClassifyError ? text : `${order.trace} cannot be read: ${text}`)
    return 1
  }
}
