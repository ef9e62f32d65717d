import { readFile } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { hasCode } from '../process/index.ts'
import { CONTROL_FILE, COPY_LINES, type CopyOrder, LOOPBACKS } from './backupListener.ts'
import { asFault, BackupFault } from './fault.ts'

const Control = z.object({
  host: z.enum(LOOPBACKS).default('127.0.0.1'),
  port: z.int().min(1).max(65_535),
  token: z.string().regex(/^[0-9a-f]{64}$/),
})
/** A service answers at once; the copy itself may take hours. */
const ANSWER_MS = 15_000
const Line = z.object({ part: z.string().optional(), error: z.string().optional(), done: z.unknown().optional() })

export interface CopyHow {
  /** Ends the copy. */
  readonly signal: AbortSignal
  readonly onProgress: (part: string) => void
}

/**
 * Has the service that runs in a data folder make a copy, and resolves with its result; with null when none runs there.
 * Throws BackupFault with the reason of the service.
 */
export async function requestCopy(
  data: string,
  order: z.output<typeof CopyOrder>,
  { signal, onProgress }: CopyHow,
): Promise<{ readonly done: unknown } | null> {
  const control = await readControl(data)
  if (control === null) return null
  const body = JSON.stringify(order)
  const headers = { Authorization: `Bearer ${control.token}`, 'Content-Length': Buffer.byteLength(body) }
  // Not by the agent of all requests, which may lead to a proxy of the environment.
  const sent = request({ host: control.host, port: control.port, method: 'POST', headers, signal, agent: false })
  const response = await firstResponse(sent.end(body))
  signal.throwIfAborted()
  // The file is from a service that was killed: nothing has its port now, or another program, which may answer anything.
  if (response?.statusCode !== 200 || response.headers['content-type'] !== COPY_LINES) {
    sent.on('error', () => undefined).destroy()
    return null
  }
  try {
    for await (const text of createInterface({ input: response })) {
      const { part, error, done } = Line.parse(JSON.parse(text))
      if (error !== undefined) throw new BackupFault(error)
      if (part !== undefined) onProgress(part)
      if (done !== undefined) return { done }
    }
  } catch (error) {
    // The connection was cut, by a stop here or the end of the service.
    if (!hasCode(error, 'ECONNRESET')) throw error
  }
  signal.throwIfAborted()
  throw new BackupFault('the service ended before the copy was finished')
}

/** Null when there is no answer of HTTP in time: the copy is then made here, if the folder can be locked. */
function firstResponse(sent: ClientRequest): Promise<IncomingMessage | null> {
  return new Promise((resolve) => {
    sent.setTimeout(ANSWER_MS, () => resolve(null))
    sent.once('response', (response) => {
      sent.setTimeout(0)
      resolve(response)
    })
    sent.once('error', () => resolve(null))
  })
}

async function readControl(data: string): Promise<z.output<typeof Control> | null> {
  try {
    const control = Control.safeParse(JSON.parse(await readFile(join(data, CONTROL_FILE), 'utf8')))
    return control.success ? control.data : null
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return null
    throw asFault(error, join(data, CONTROL_FILE))
  }
}
