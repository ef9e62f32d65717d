// The command line: start the service, look after its keys, play the demo on a service that runs, or look at a trace.

import { diskFailure, failureText, hasCode } from '../process/index.ts'
import { commandOf, start } from './commands.ts'
import { reachOwnMachine } from './ownMachine.ts'

const out = (text: string) => void process.stdout.write(`${text}\n`)
const err = (text: string) => void process.stderr.write(`${text}\n`)

const { command, rest } = commandOf(process.argv.slice(2))

reachOwnMachine(process.env)
process.stderr.on('error', () => undefined)
// A reader may stop, as `head -1` does: a command ends its work, a service continues. On a full disk a command fails, as its
// output may be a new key, which is printed only once.
process.stdout.on('error', (error) => {
  if (command === start || hasCode(error, 'EPIPE') || process.exitCode === 1) return
  err(`tonrpc: the command has run, but what it prints was not written: ${diskFailure(error) ?? failureText(error)}`)
  process.exitCode = 1
})
command.run(rest, { env: process.env, out, err }).then(
  (code) => {
    if (code !== 0) process.exitCode = code
  },
  (error: unknown) => {
    err(error instanceof Error && error.stack !== undefined ? error.stack : String(error))
    process.exitCode = 1
  },
)
