// Lists of v3 over REST: one page, all pages, and the many ways to spell a request.

import { toFriendly, toFriendlyStandard, toRaw, toRawUpper } from '../../shared/address.ts'
import { type Answered, ask, queryOf } from './calls.ts'
import type { TestService } from './service.ts'

export type Query = Readonly<Record<string, unknown>>
export type Listed = Readonly<Record<string, unknown>>

export const get = (service: TestService, path: string, params: Query = {}): Promise<Answered> =>
  ask(service, `/api/v3/${path}${queryOf(params)}`)

export interface ListPage {
  readonly rows: readonly Listed[]
  readonly cursor: string | null
}

/** The page itself; whatever else came fails the test. */
export async function pageOf(service: TestService, path: string, params: Query): Promise<ListPage> {
  const { status, body, text } = await get(service, path, params)
  if (status !== 200) throw new Error(`${path}${queryOf(params)}: ${status} ${text}`)
  const rows = Object.values(body).find((value): value is Listed[] => Array.isArray(value))
  return { rows: rows ?? [], cursor: body.cursor as string | null }
}

/** All rows by cursor, so many at a time. */
export async function byCursor(service: TestService, path: string, params: Query): Promise<Listed[]> {
  const all: Listed[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: ListPage = await pageOf(service, path, cursor === undefined ? params : { ...params, cursor })
    all.push(...page.rows)
    cursor = page.cursor
  }
  return all
}

/** The same by offset. */
export async function byOffset(service: TestService, path: string, params: Query & { limit: number }) {
  const all: Listed[] = []
  for (;;) {
    const { rows } = await pageOf(service, path, { ...params, offset: all.length })
    all.push(...rows)
    if (rows.length < params.limit) return all
  }
}

/** Each way to write a hash. */
export const hashForms = (hash: Uint8Array): string[] => {
  const bytes = Buffer.from(hash)
  const base64 = bytes.toString('base64')
  const base64url = bytes.toString('base64url')
  const hex = bytes.toString('hex')
  return [base64, base64.slice(0, -1), base64url, `${base64url}=`, hex, hex.toUpperCase(), `0x${hex}`]
}

/** Each way to write an account. */
export function accountForms(key: Uint8Array): string[] {
  const address = { workchain: (key[0] ?? 0) - 128, hash: key.subarray(1) }
  const flags = [true, false].flatMap((bounceable) => [true, false].map((testOnly) => ({ bounceable, testOnly })))
  return [
    toRaw(address),
    toRawUpper(address),
    ...flags.flatMap((flag) => [toFriendly({ ...address, ...flag }), toFriendlyStandard({ ...address, ...flag })]),
  ]
}

export const rawOf = (key: Uint8Array): string => toRawUpper({ workchain: (key[0] ?? 0) - 128, hash: key.subarray(1) })

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const hexShard = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).toUpperCase()
