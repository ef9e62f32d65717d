// The request log of the service, where the settings say.

import { type Log, openRequestLog, type RequestLog } from '../observe/index.ts'
import { failureText } from '../process/index.ts'
import type { Config } from './settings.ts'
import { StartRefused } from './startRefused.ts'

/** Undefined when requests are not logged. Throws StartRefused when the file cannot be opened. */
export async function requestLogOf(
  { requestLog, requestLogSample }: Pick<Config, 'requestLog' | 'requestLogSample'>,
  log: Log,
): Promise<RequestLog | undefined> {
  if (requestLog === 'off') return undefined
  try {
    return await openRequestLog({ to: requestLog, sample: requestLogSample, log })
  } catch (error) {
    const why = failureText(error)
    throw new StartRefused(`--request-log: the file cannot be opened (${why}); name one in a folder that exists`, {
      cause: error,
    })
  }
}
