// Starts the service, prints its banner, and looks after signals.

import { type Config, StartRefused, startService, stopOnSignal } from '../../app/index.ts'
import { programVersion } from '../../app/programVersion.ts'
import { LogError, type Progress, ReplayError } from '../../devchain/index.ts'
import { createLog } from '../../observe/index.ts'
import { hasCode, watchHeldFolders } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'
import { banner, demoLine } from './banner.ts'
import type { Begun } from './begin.ts'

/** A file that another user has made, as of a service that ran as root before; null for other failures. */
function fileFailure(error: unknown): string | null {
  if (!hasCode(error, 'EACCES', 'EPERM') || !(error instanceof Error && 'path' in error)) return null
  return `${String(error.path)} cannot be read or written by this user: give it the whole data folder, or choose another with --data`
}

/** Why the service could not start, mostly because it could not listen, and the remedy. */
function startFailure(error: unknown, { host, port }: Config): string | null {
  const ofFile = fileFailure(error)
  if (ofFile !== null) return ofFile
  if (hasCode(error, 'EADDRINUSE'))
    return `port ${port} is taken: choose another with --port, or --port 0 for a free one`
  if (hasCode(error, 'EACCES')) return `not allowed to listen on port ${port}: choose one above 1023 with --port`
  const noAddress = hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT')
  if (hasCode(error, 'EMFILE', 'ENFILE'))
    return 'this process may not open enough files: raise the limit, for instance with ulimit -n 1024'
  return noAddress ? `${host} is no address of this machine: choose another with --host` : null
}

/** npm's name of the running script shows how the user types commands. */
const keysCommand = (): string => (process.env.npm_lifecycle_event === 'start' ? 'npm run keys --' : 'npx tonrpc keys')

/** Resolves when it serves. Throws CommandError when it cannot. */
export async function startProcess(
  { config, database, notes, memoryMb }: Begun,
  { out }: Pick<Io, 'out'>,
): Promise<void> {
  const log = createLog({ format: config.logFormat, level: config.logLevel })
  notes.passTo(log)
  try {
    const begun = performance.now()
    const onDemo = (progress: Progress) => {
      const seconds = (performance.now() - begun) / 1000
      process.stdout.write(demoLine(progress, seconds, process.stdout.isTTY === true))
    }
    const service = await startService({ config, log, onDemo, database })
    stopOnSignal(service.close, log)
    // At once and without a goodbye: what it still wrote would get into the files of the next service there.
    watchHeldFolders((folder) => {
      log.fatal(
        { folder },
        'the data folder was removed or taken while it was in use: nothing can be kept, start again',
      )
      process.exit(1)
    })
    out(
      banner({
        config,
        url: service.url,
        version: programVersion(),
        seconds: process.uptime(),
        keysCommand: keysCommand(),
        accounts: service.accounts,
        playsDemo: service.playsDemo,
        trouble: await service.startTrouble(),
        lite: service.lite,
        memoryMb,
      }),
    )
  } catch (error) {
    await database.close()
    const isKnown = error instanceof LogError || error instanceof ReplayError || error instanceof StartRefused
    const known = (isKnown ? error.message : null) ?? startFailure(error, config)
    if (known) throw new CommandError(known, { cause: error })
    log.fatal({ err: error }, 'service could not start')
    process.exitCode = 1
  }
}
