// Starts the service, prints its banner, and looks after signals.

import { StartRefused, startService, stopOnSignal } from '../../app/index.ts'
import { programVersion } from '../../app/programVersion.ts'
import { LogError, ReplayError, type StoryProgress } from '../../devchain/index.ts'
import { createLog } from '../../observe/index.ts'
import { compileSoon, watchHeldFolders } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'
import { banner, demoLine } from './banner.ts'
import type { Begun } from './begin.ts'
import { startFailure } from './startFailure.ts'

/** npm's name of the running script shows how the user types commands. */
const commandOf = (name: string): string =>
  process.env.npm_lifecycle_event === 'start' ? `npm run ${name} --` : `npx tonrpc ${name}`

/** Resolves when it serves. Throws CommandError when it cannot. */
export async function startProcess(
  { config, database, notes, memoryMb }: Begun,
  { out }: Pick<Io, 'out'>,
): Promise<void> {
  const log = createLog({ format: config.logFormat, level: config.logLevel })
  notes.passTo(log)
  try {
    const begun = performance.now()
    const onDemo = (progress: StoryProgress) => {
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
        keysCommand: commandOf('keys'),
        doctorCommand: commandOf('doctor'),
        accounts: service.accounts,
        playsDemo: service.playsDemo,
        forkedAt: service.forkedAt,
        clockLead: service.clockLead,
        trouble: await service.startTrouble(),
        lite: service.lite,
        memoryMb,
      }),
    )
    compileSoon()
  } catch (error) {
    await database.close()
    const isKnown = error instanceof LogError || error instanceof ReplayError || error instanceof StartRefused
    const known = (isKnown ? error.message : null) ?? startFailure(error, config)
    if (known) throw new CommandError(known, { cause: error })
    log.fatal({ err: error }, 'service could not start')
    process.exitCode = 1
  }
}
