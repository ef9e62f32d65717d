// Examines every lite server that would be used.

import { listServers, StartRefused, startOfTrust } from '../../app/index.ts'
import { type Examination, examineServer, type ServerAddress, type TrustStart } from '../../node/index.ts'
import { createLog } from '../../observe/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'
import { adviceOn, doctorTable } from './table.ts'
import { blockJson, readTrust, trustText } from './trust.ts'

type Named = Parameters<typeof listServers>[0]

/** At once. */
const LANES = 16

async function examineAll(
  servers: readonly ServerAddress[],
  examine: (server: ServerAddress) => Promise<Examination>,
): Promise<readonly Examination[]> {
  const found: Examination[] = []
  const waiting = servers.entries()
  const lane = async (): Promise<void> => {
    for (const [i, server] of waiting) found[i] = await examine(server)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return found
}

async function listed(named: Named): Promise<{ servers: readonly ServerAddress[]; start: TrustStart }> {
  const own = await listServers(named, createLog({ format: 'auto', level: 'warn' }))
  return { servers: own.config.servers, start: startOfTrust(named.network, own) }
}

const forJson = ({ steps, key, ...one }: Examination, lag: number | null) => ({
  ...one,
  lag,
  key: key === null ? null : { ...blockJson(key.id), utime: key.utime, isNewest: key.isNewest },
  steps: steps.map((step) => ({ ...step, ok: step.fault === null })),
})

/** Throws CommandError when no server can be used. */
export async function examineNetwork(named: Named, { out, json }: Pick<Io, 'out'> & { json: boolean }): Promise<void> {
  const { servers, start } = await listed(named).catch((error: unknown) => {
    if (!(error instanceof StartRefused)) throw error
    if (json) out(JSON.stringify({ network: named.network, usable: 0, servers: [], error: error.message }, null, 2))
    throw new CommandError(error.message, { cause: error })
  })
  const now = (): number => Date.now() / 1_000
  const found = await examineAll(servers, (server) => examineServer(server, { start, now }))
  const usable = found.filter(({ isUsable }) => isUsable)
  const best = Math.max(0, ...usable.map(({ head }) => head?.seqno ?? 0))
  const lagOf = ({ head, isUsable }: Examination): number | null =>
    head === null || !isUsable ? null : best - head.seqno
  const advice = adviceOn(found, lagOf)
  const trust = await readTrust(named.data, start, usable)
  if (json) {
    const { key, start: from, kept, trouble, file } = trust
    const shown = { start: blockJson(from), key: key === null ? null : blockJson(key.id), kept, trouble, file }
    const rows = found.map((one) => forJson(one, lagOf(one)))
    out(JSON.stringify({ network: named.network, usable: usable.length, servers: rows, trust: shown, advice }, null, 2))
  } else {
    out(doctorTable(found, lagOf))
    if (advice.length > 0) out(`\n${advice.join('\n')}`)
    out(`\n${trustText(trust)}`)
    out(`\n${usable.length} of ${found.length} can be used`)
  }
  if (usable.length === 0) throw new CommandError('no lite server can be used')
}
