// Issuing and ending API keys in the key file of a data folder, and what is printed of it.

import type { Network } from '../../../shared/network.ts'
import { type IssuedKey, type KeyOrder, type KeyStore, KeyStoreError, keyState } from '../../access/index.ts'
import { type KeysPlace, openKeys } from '../../app/callers.ts'
import { withSecrets } from '../../app/secretFiles.ts'
import { StartRefused } from '../../app/startRefused.ts'
import type { Io } from '../command.ts'
import { CommandError, UsageError } from '../errors.ts'
import { keysTable, momentOf, rateOf } from './table.ts'

export interface KeysIo extends Pick<Io, 'out' | 'err'>, KeysPlace {
  /** Print one JSON document in place of text. */
  readonly json: boolean
}

async function withStore(io: KeysIo, work: (store: KeyStore) => Promise<void>): Promise<void> {
  try {
    const { keys, close } = await openKeys(withSecrets(io), (error) => io.err(error.message))
    try {
      await work(keys)
    } finally {
      await close()
    }
  } catch (error) {
    throw explained(error)
  }
}

export function explained(error: unknown): Error {
  if (error instanceof StartRefused) return new CommandError(error.message, { cause: error })
  if (!(error instanceof KeyStoreError)) {
    const text = error instanceof Error ? error.message : String(error)
    return new CommandError(`the keys cannot be read or written: ${text}`, { cause: error })
  }
  if (error.reason === 'refused') return new UsageError(error.message, { cause: error })
  const hint = error.reason === 'notFound' ? '. Ids are in the first column of: tonrpc keys list' : ''
  return new CommandError(`${error.message}${hint}`, { cause: error })
}

export const createKey = (order: KeyOrder, io: KeysIo): Promise<void> =>
  withStore(io, async (store) => show(await store.create(order), io))

export const performRotate = (id: string, overlap: number, io: KeysIo): Promise<void> =>
  withStore(io, async (store) => show(await store.rotate(id, overlap), io, overlap))

function show({ key, record }: IssuedKey, io: KeysIo, overlap?: number): void {
  const { id, hint, network, plan, perSecond, monthly, label, createdAt, expiresAt } = record
  if (io.json) {
    io.out(JSON.stringify({ key, id, hint, network, plan, perSecond, monthly, label, createdAt, expiresAt }))
    return
  }
  io.out(key)
  io.out('This key is shown once and cannot be shown again: put it into a secret store now. Send it as X-API-Key.')
  const end = expiresAt === null ? 'no end' : `until ${momentOf(expiresAt)}`
  const quota = monthly === null ? '' : `, ${monthly} calls a month`
  io.out(`Id ${id}, ${network}, plan ${plan} (${rateOf(record)}${quota}), ${end}.`)
  if (overlap === undefined) return
  const until = momentOf(createdAt + overlap)
  io.out(overlap === 0 ? 'The old secret no longer works.' : `The old secret works until ${until} at the latest.`)
}

export const listKeys = (network: Network | null, io: KeysIo): Promise<void> =>
  withStore(io, async (store) => {
    const now = Date.now()
    const records = (await store.list()).filter((record) => network === null || record.network === network)
    if (io.json)
      io.out(JSON.stringify(records.map((record) => ({ ...record, hash: undefined, state: keyState(record, now) }))))
    else if (records.length === 0) io.out('No keys yet. To issue one: tonrpc keys create --plan free')
    else for (const line of keysTable(records, now)) io.out(line)
  })

export const performRevoke = (id: string, io: KeysIo): Promise<void> =>
  withStore(io, async (store) => {
    const secrets = await store.revoke(id)
    if (io.json) io.out(JSON.stringify({ id, revoked: secrets.length }))
    else io.out(`Revoked ${id}. Running servers refuse it within two seconds.`)
  })
