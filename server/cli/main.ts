#!/usr/bin/env node
// The command line: start the service, look after its keys, play the demo on a service that runs, or look at a trace.

import { createRequire } from 'node:module'
import type { Config } from '../app/index.ts'
import { dataProblem, StartRefused, startService, stopOnSignal } from '../app/index.ts'
import { LogError, type Progress, ReplayError } from '../node/index.ts'
import { createLog } from '../observe/index.ts'
import { applyMemoryPlan } from '../process/index.ts'
import { ConfigError, help, readConfig } from './config.ts'
import { banner, demoLine } from './start/banner.ts'

const { version } = createRequire(import.meta.url)('tonrpc/package.json') as { version: string }

const WRONG_USE = 2
const out = (text: string) => process.stdout.write(`${text}\n`)
const err = (text: string) => process.stderr.write(`${text}\n`)

function fail(text: string): void {
  err(`tonrpc: ${text}`)
  process.exitCode = 1
}

/** Why the service could not listen, in words that say what to do. */
function startFailure(error: NodeJS.ErrnoException, { host, port }: Config): string | null {
  if (error.code === 'EADDRINUSE')
    return `port ${port} is taken: choose another with --port, or --port 0 for a free one`
  if (error.code === 'EACCES') return `not allowed to listen on port ${port}: choose one above 1023 with --port`
  const noAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'].includes(error.code ?? '')
  if (['EMFILE', 'ENFILE'].includes(error.code ?? ''))
    return 'this process may not open enough files: raise the limit, for instance with ulimit -n 1024'
  return noAddress ? `${host} is no address of this machine: choose another with --host` : null
}

/** npm's own name of the script it runs tells how the next command is to be typed. */
const keysCommand = (): string => (process.env.npm_lifecycle_event === 'start' ? 'npm run keys --' : 'npx tonrpc keys')

async function start(config: Config): Promise<void> {
  const problem = dataProblem(config.data)
  if (problem !== null) return fail(problem)
  const log = createLog({ format: config.logFormat, level: config.logLevel })
  try {
    // Whoever read the banner may be gone while the service goes on.
    process.stdout.on('error', () => undefined)
    const begun = performance.now()
    const onDemo = (progress: Progress) => {
      const seconds = (performance.now() - begun) / 1000
      process.stdout.write(demoLine(progress, seconds, process.stdout.isTTY === true))
    }
    const { total: memoryMb } = applyMemoryPlan(config.memory)
    const onIndex = (text: string) => out(`  ${'index'.padEnd(14)}${text}`)
    const service = await startService({ config, log, onDemo, onIndex })
    stopOnSignal(service.close, log)
    out(
      banner({
        config,
        url: service.url,
        version,
        seconds: process.uptime(),
        keysCommand: keysCommand(),
        accounts: service.accounts,
        playsDemo: service.playsDemo,
        trouble: await service.startTrouble(),
        memoryMb,
      }),
    )
  } catch (error) {
    const isKnown = error instanceof LogError || error instanceof ReplayError || error instanceof StartRefused
    const known = (isKnown ? error.message : null) ?? startFailure(error as NodeJS.ErrnoException, config)
    if (known) return fail(known)
    log.fatal({ err: error }, 'could not start')
    process.exitCode = 1
  }
}

/** `--config` of a command that shares the settings of the service, apart from its own words. */
function withConfigFlag(rest: readonly string[]): {
  readonly own: readonly string[]
  readonly words: readonly string[]
} {
  const at = rest.findIndex((word) => word === '--config' || word.startsWith('--config='))
  if (at < 0) return { own: [], words: rest }
  const count = rest[at] === '--config' ? 2 : 1
  return { own: rest.slice(at, at + count), words: rest.toSpliced(at, count) }
}

async function main(argv: readonly string[]): Promise<void> {
  const [first, ...rest] = argv
  if (first === 'classify') {
    const { runClassify } = await import('./classify/command.ts')
    process.exitCode = await runClassify(rest, { out, err })
    return
  }
  if (first === 'keys') {
    const { own, words } = withConfigFlag(rest)
    const command = readConfig({ argv: own, env: process.env })
    if (command.kind !== 'start') return
    const { data, network } = command.config
    const { runKeys } = await import('./keys/command.ts')
    process.exitCode = await runKeys(words, { data, network, out, err })
    return
  }
  if (first === 'seed') {
    const { runSeed } = await import('./seed/command.ts')
    process.exitCode = await runSeed(rest, { out, err })
    return
  }
  const command = readConfig({ argv, env: process.env })
  if (command.kind === 'help') out(help())
  else if (command.kind === 'version') out(version)
  else await start(command.config)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  err(error instanceof ConfigError ? `tonrpc: ${error.message}` : String((error as Error).stack ?? error))
  process.exitCode = error instanceof ConfigError ? WRONG_USE : 1
})
