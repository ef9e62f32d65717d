// Issuing and ending API keys in the key file of a data folder, and what is printed of it.

import type { Network } from '../../../shared/network.ts'
import {
  type IssuedKey,
  type KeyOrder,
  type KeyRights,
  keyState,
  type Plan,
  planNamed,
  rateOf,
} from '../../access/index.ts'
import { placeWords } from './placeWords.ts'
import { keysTable, momentOf } from './table.ts'
import { type KeysIo, withKeys } from './withKeys.ts'

export { showUsage } from './showUsage.ts'

export const createKey = (order: KeyOrder, io: KeysIo): Promise<void> =>
  withKeys(io, async (keys, plans) => {
    // Before: a key that is not printed is lost.
    const known = await plans.list()
    show(await keys.create(order), known, io)
  })

export const performRotate = (id: string, overlap: number, io: KeysIo): Promise<void> =>
  withKeys(io, async (keys, plans) => {
    const known = await plans.list()
    show(await keys.rotate(id, overlap), known, io, overlap)
  })

function show({ key, record }: IssuedKey, plans: readonly Plan[], io: KeysIo, overlap?: number): void {
  const { id, hint, network, plan, perSecond, monthly, label, allAccounts, createdAt, expiresAt } = record
  if (io.json) {
    const made = { id, hint, network, plan, perSecond, monthly, label, allAccounts, createdAt, expiresAt }
    io.out(JSON.stringify({ key, ...made }))
    return
  }
  io.out(key)
  io.out('This key is shown once and cannot be shown again: put it into a secret store now. Send it as X-API-Key.')
  const end = expiresAt === null ? 'no end' : `until ${momentOf(expiresAt)}`
  const quota = monthly === null ? '' : `, ${monthly} calls a month`
  const right = allAccounts ? ', all accounts' : ''
  io.out(`Id ${id}, ${network}, plan ${plan} (${rateOf(planNamed(plans, plan), perSecond)}/s${quota})${right}, ${end}.`)
  if (overlap === undefined) return
  const until = momentOf(createdAt + overlap)
  io.out(overlap === 0 ? 'The old secret no longer works.' : `The old secret works until ${until} at the latest.`)
}

export const listKeys = (network: Network | null, io: KeysIo): Promise<void> =>
  withKeys(io, async (keys, plans) => {
    const now = Date.now()
    const records = (await keys.list()).filter((record) => network === null || record.network === network)
    if (io.json)
      io.out(JSON.stringify(records.map((record) => ({ ...record, hash: undefined, state: keyState(record, now) }))))
    else if (records.length === 0) {
      const ofNetwork = network === null ? '' : ` --network ${network}`
      io.out(`No keys yet. To issue one: tonrpc keys create --plan free${placeWords(io)}${ofNetwork}`)
    } else for (const line of keysTable(records, await plans.list(), now)) io.out(line)
  })

export const performChange = (id: string, changes: KeyRights, io: KeysIo): Promise<void> =>
  withKeys(io, async (keys) => {
    const [record] = await keys.change(id, changes)
    const allAccounts = record?.allAccounts ?? false
    if (io.json) io.out(JSON.stringify({ id, allAccounts }))
    else
      io.out(`${id} may ${allAccounts ? '' : 'not '}follow all accounts. Running servers know it within two seconds.`)
  })

export const performRevoke = (id: string, io: KeysIo): Promise<void> =>
  withKeys(io, async (keys) => {
    const secrets = await keys.revoke(id)
    if (io.json) io.out(JSON.stringify({ id, revoked: secrets.length }))
    else io.out(`Revoked ${id}. Running servers refuse it within two seconds.`)
  })
