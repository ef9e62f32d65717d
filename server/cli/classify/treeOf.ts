// A trace by what a person names: a file, or the id of a trace of a running service.

import { existsSync } from 'node:fs'
import { failureText } from '../../process/index.ts'
import { CommandError } from '../commandErrors.ts'
import { readJsonFile, traceOfFile } from './file.ts'
import { traceText } from './printTree.ts'
import { traceOfService } from './service.ts'

/** The trace as text. Throws CommandError. */
export async function traceTreeText(trace: string, url: string): Promise<string> {
  try {
    return traceText(existsSync(trace) ? traceOfFile(readJsonFile(trace)) : await traceOfService(url, trace))
  } catch (error) {
    if (error instanceof CommandError) throw error
    const text = failureText(error)
    throw new CommandError(`${trace} cannot be read: ${text}`, { cause: error })
  }
}
