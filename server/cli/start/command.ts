// `tonrpc` without the name of another command: the service itself, with all settings as flags. What it runs is loaded when
// the command line is found to be right: that takes ten times as long as to read it.

import { type Config, Settings } from '../../app/settings/settings.ts'
import { outliveRotation } from '../../process/index.ts'
import { type Command, command, type Leaf } from '../command.ts'
import { serviceHelp } from '../help.ts'
import { beginStart } from './begin.ts'
import { startRefusal } from './refusal.ts'

/** What other programs call their start. */
const START_WORDS = ['start', 'run', 'serve', 'up', 'dev']

/** The default command. */
export const startCommand = (others: readonly Command[]): Leaf<Config> =>
  command({
    name: '',
    summary: 'start the service',
    flags: Settings,
    others,
    stray: 'a start takes flags alone',
    needless: START_WORDS,
    refusal: startRefusal,
    help: () => serviceHelp(others),
    async run(config, io) {
      outliveRotation()
      const begun = await beginStart(config, io)
      try {
        const { startProcess } = await import('./start.ts')
        await startProcess(begun, io)
      } catch (error) {
        // Or the thread of its database would keep the process.
        await begun.database.close()
        throw error
      }
    },
  })
