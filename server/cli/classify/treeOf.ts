// A trace by what a person names: a file, or the id of a trace of a running service.

import { existsSync } from 'node:fs'
import { isObject } from '../../../shared/isObject.ts'
import { failureText } from '../../process/index.ts'
import { CommandError } from '../commandErrors.ts'
import { readJsonFile, traceOfFile } from './file.ts'
import type { KnownTrace } from './knownTrace.ts'
import { traceText } from './printTree.ts'
import { traceOfService } from './service.ts'

function traceIn(path: string): KnownTrace {
  const json = readJsonFile(path)
  if (isObject(json) && isObject(json.trace) && Array.isArray(json.transactions)) return traceOfFile(json)
  throw new CommandError(
    `${path} is no file of a trace: those of test/fixtures/traces show the form; a reply of v3.traces is not one, name its trace with --url instead`,
  )
}

/** The trace as text. Throws CommandError. */
export async function traceTreeText(trace: string, url: string): Promise<string> {
  try {
    return traceText(existsSync(trace) ? traceIn(trace) : await traceOfService(url, trace))
  } catch (error) {
    if (error instanceof CommandError) throw error
    const text = failureText(error)
    throw new CommandError(`${trace} cannot be read: ${text}`, { cause: error })
  }
}
