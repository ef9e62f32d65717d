// The command line: start the service, look after its keys, play the demo on a service that runs, or look at a trace.

import { commandOf } from './commands.ts'

const out = (text: string) => void process.stdout.write(`${text}\n`)
const err = (text: string) => void process.stderr.write(`${text}\n`)

// A reader may stop, as `head -1` does: a command ends its work, a service continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const { command, rest } = commandOf(process.argv.slice(2))
command.run(rest, { env: process.env, out, err }).then(
  (code) => {
    if (code !== 0) process.exitCode = code
  },
  (error: unknown) => {
    err(error instanceof Error && error.stack !== undefined ? error.stack : String(error))
    process.exitCode = 1
  },
)
