// `tonrpc` without the name of another command: the service itself, with all settings as flags.

import { type Config, Settings } from '../../app/index.ts'
import { type Command, command, type Leaf } from '../command.ts'
import { serviceHelp } from '../help.ts'
import { start } from './start.ts'

/** The default command. */
export const startCommand = (others: readonly Command[]): Leaf<Config> =>
  command({
    name: '',
    summary: 'start the service',
    flags: Settings,
    others,
    help: () => serviceHelp(others),
    run: start,
  })
