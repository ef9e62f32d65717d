// Examines every lite server that would be used.

import { listServers, StartRefused, startOfTrust } from '../../app/index.ts'
import {
  type BlockIdExt,
  blockAtHeight,
  type Examination,
  examineServer,
  type ServerAddress,
  type TrustStart,
} from '../../node/index.ts'
import { createLog } from '../../observe/index.ts'
import { inParallel, printable } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'
import { adviceOnForks, type Branch, branchesAmong } from './forks.ts'
import { adviceOn, adviceOnAge, adviceOnOldest, doctorTable } from './table.ts'
import { blockJson, readTrust, trustText } from './trust.ts'

type Named = Parameters<typeof listServers>[0]

/** At once. */
const LANES = 16

/** By the newest block that all of them have. */
async function branchesOf(
  servers: readonly ServerAddress[],
  usable: readonly Examination[],
): Promise<readonly Branch[]> {
  const names = new Set(usable.map(({ server }) => server))
  const height = Math.min(...usable.map(({ head }) => head?.seqno ?? 0))
  const able = servers.filter(({ name }) => names.has(name))
  const named = await inParallel(able, LANES, async (one): Promise<readonly [string, BlockIdExt | null]> => {
    return [one.name, await blockAtHeight(one, height)]
  })
  return branchesAmong(new Map(named))
}

async function listed(named: Named): Promise<{ servers: readonly ServerAddress[]; start: TrustStart }> {
  const own = await listServers(named, createLog({ format: 'auto', level: 'warn' }))
  return { servers: own.config.servers, start: startOfTrust(named.network, own) }
}

/** The newest block of those that proved theirs to the end: another one may be made up. */
function bestOf(usable: readonly Examination[]): number {
  const proven = usable.filter(({ key }) => key?.isNewest === true)
  return Math.max(0, ...(proven.length > 0 ? proven : usable).map(({ head }) => head?.seqno ?? 0))
}

const forJson = ({ steps, key, ...one }: Examination, lag: number | null) => ({
  ...one,
  lag,
  key: key === null ? null : { ...blockJson(key.id), utime: key.utime, isNewest: key.isNewest },
  steps: steps.map((step) => ({ ...step, ok: step.fault === null })),
})

/** Throws CommandError when no server can be used. */
export async function examineNetwork(named: Named, { out, json }: Pick<Io, 'out'> & { json: boolean }): Promise<void> {
  const { servers: addresses, start } = await listed(named).catch((error: unknown) => {
    if (!(error instanceof StartRefused)) throw error
    if (json) out(JSON.stringify({ network: named.network, usable: 0, servers: [], error: error.message }, null, 2))
    throw new CommandError(error.message, { cause: error })
  })
  const now = (): number => Date.now() / 1_000
  const found = await inParallel(addresses, LANES, (server) => examineServer(server, { start, now }))
  const usable = found.filter(({ isUsable }) => isUsable)
  const best = bestOf(usable)
  const lagOf = ({ head, isUsable }: Examination): number | null =>
    head === null || !isUsable ? null : Math.max(0, best - head.seqno)
  const branches = usable.length > 1 ? await branchesOf(addresses, usable) : []
  const advice = [
    ...adviceOnAge(usable, now()),
    ...adviceOnForks(branches),
    ...adviceOnOldest(usable),
    ...adviceOn(found, lagOf),
  ]
  const trust = await readTrust(named.data, start, usable)
  if (json) {
    const { key, start: from, kept, trouble, file } = trust
    const shown = { start: blockJson(from), key: key === null ? null : blockJson(key.id), kept, trouble, file }
    const rows = found.map((one) => forJson(one, lagOf(one)))
    const forks = branches.length > 1 ? branches.map(({ id, servers }) => ({ block: blockJson(id), servers })) : []
    const all = { network: named.network, usable: usable.length, servers: rows, forks, trust: shown, advice }
    out(JSON.stringify(all, null, 2))
  } else {
    out(doctorTable(found, lagOf))
    if (advice.length > 0) out(`\n${advice.map(printable).join('\n')}`)
    out(`\n${trustText(trust)}`)
    out(`\n${usable.length} of ${found.length} can be used`)
  }
  if (usable.length === 0) throw new CommandError('no lite server can be used')
}
