// `tonrpc` without the name of another command: the service itself, with all settings as flags. What it runs is loaded when
// the command line is found to be right: that takes ten times as long as to read it.

import { type Config, Settings } from '../../app/settings.ts'
import { type Command, command, type Leaf } from '../command.ts'
import { serviceHelp } from '../help.ts'

/** The default command. */
export const startCommand = (others: readonly Command[]): Leaf<Config> =>
  command({
    name: '',
    summary: 'start the service',
    flags: Settings,
    others,
    stray: 'a start takes flags alone',
    help: () => serviceHelp(others),
    async run(config, io) {
      const { startProcess: start } = await import('./start.ts')
      await start(config, io)
    },
  })
