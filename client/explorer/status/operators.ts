// What the administration of the service answers: with the operator's token, and some of it on this machine without.

import { fetchDocument } from '../documents.ts'
import { BASE } from '../pageBoot.ts'

/** A page reads the list again only after an answer. */
const PATIENCE_MS = 15_000

export type OperatorRow = Readonly<Record<string, unknown>>

export const isOperatorRow = (value: unknown): value is OperatorRow => typeof value === 'object' && value !== null

/** The rows of one list. Throws an Error for a refusal. */
export async function operatorRows(path: string, name: string, token: string): Promise<readonly OperatorRow[]> {
  const at = `/api/admin/${path}`
  const headers = { 'X-Admin-Token': token }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const reply =
    token === '' ? await fetchDocument(at, { signal }) : await fetch(new URL(at.slice(1), BASE), { headers, signal })
  const body: unknown = await reply.json()
  if (!isOperatorRow(body)) throw new Error('The answer cannot be read.')
  if (!reply.ok) throw new Error(typeof body.error === 'string' ? body.error : `HTTP ${reply.status}`)
  const list = body[name]
  return Array.isArray(list) ? list.filter(isOperatorRow) : []
}
