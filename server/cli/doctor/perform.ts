// Examines every lite server that would be used.

import { listServers, StartRefused, startOfTrust } from '../../app/index.ts'
import { type Examination, examineServer, type ServerAddress } from '../../node/index.ts'
import { createLog } from '../../observe/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../errors.ts'
import { adviceOn, doctorTable } from './table.ts'

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

/** Throws CommandError when no server can be used. */
export async function examineNetwork(named: Named, { out, json }: Pick<Io, 'out'> & { json: boolean }): Promise<void> {
  const log = createLog({ format: 'auto', level: 'warn' })
  const { listed, start } = await (async () => {
    try {
      const own = await listServers(named, log)
      return { listed: own, start: startOfTrust(named.network, own) }
    } catch (error) {
      throw error instanceof StartRefused ? new CommandError(error.message, { cause: error }) : error
    }
  })()
  const now = (): number => Date.now() / 1_000
  const found = await examineAll(listed.config.servers, (server) => examineServer(server, { start, now }))
  const usable = found.filter(({ isUsable }) => isUsable)
  const best = Math.max(0, ...usable.map(({ head }) => head?.seqno ?? 0))
  const lagOf = ({ head, isUsable }: Examination): number | null =>
    head === null || !isUsable ? null : best - head.seqno
  const advice = adviceOn(found, lagOf)
  if (json) {
    const servers = found.map((one) => ({ ...one, lag: lagOf(one) }))
    out(JSON.stringify({ network: named.network, usable: usable.length, servers, advice }, null, 2))
  } else {
    out(doctorTable(found, lagOf))
    if (advice.length > 0) out(`\n${advice.join('\n')}`)
    out(`\n${usable.length} of ${found.length} can be used`)
  }
  if (usable.length === 0) throw new CommandError('no lite server can be used')
}
