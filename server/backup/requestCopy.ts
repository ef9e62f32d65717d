import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { hasCode } from '../process/index.ts'
import { CONTROL_FILE, type CopyOrder } from './backupListener.ts'
import { BackupFault } from './fault.ts'

const Control = z.object({ port: z.int().min(1).max(65_535), token: z.string().regex(/^[0-9a-f]{64}$/) })
const Line = z.object({ part: z.string().optional(), error: z.string().optional(), done: z.unknown().optional() })

/**
 * Has the service that runs in a data folder make a copy, and resolves with its result; with null when none runs there.
 * Throws BackupFault with the reason of the service.
 */
export async function requestCopy(
  data: string,
  order: z.output<typeof CopyOrder>,
  onProgress: (part: string) => void,
): Promise<{ readonly done: unknown } | null> {
  const control = await readControl(data)
  if (control === null) return null
  const body = JSON.stringify(order)
  const headers = { Authorization: `Bearer ${control.token}`, 'Content-Length': Buffer.byteLength(body) }
  const sent = request({ host: '127.0.0.1', port: control.port, method: 'POST', headers })
  const response = await new Promise<(NodeJS.ReadableStream & { readonly statusCode?: number }) | null>(
    (resolve, reject) => {
      sent.on('response', resolve)
      // The file is from a service that was killed.
      sent.on('error', (error) => (hasCode(error, 'ECONNREFUSED') ? resolve(null) : reject(error)))
      sent.end(body)
    },
  )
  if (response === null) return null
  // Another program has the port of a service that was killed.
  if (response.statusCode !== 200) {
    sent.destroy()
    return null
  }
  for await (const text of createInterface({ input: response })) {
    const { part, error, done } = Line.parse(JSON.parse(text))
    if (error !== undefined) throw new BackupFault(error)
    if (part !== undefined) onProgress(part)
    if (done !== undefined) return { done }
  }
  throw new BackupFault('the service ended before the copy was finished')
}

async function readControl(data: string): Promise<z.output<typeof Control> | null> {
  try {
    const control = Control.safeParse(JSON.parse(await readFile(join(data, CONTROL_FILE), 'utf8')))
    return control.success ? control.data : null
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return null
    throw error
  }
}
