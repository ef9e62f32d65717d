// Programs of others that tests call, installed from their registry once and kept between runs in the temporary folder.
// Where there is no registry the tests that need them are skipped, or fail with `REQUIRE_NETWORK=1`.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import { type FolderLock, FolderLocked, lockFolder } from '../../server/process/index.ts'
import { run } from './runningService.ts'

export interface Finished {
  readonly code: number | null
  readonly text: string
}

/** Both streams of a command as one text; code -1 when it cannot be started. */
export async function finish(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Finished> {
  await using running = run(command, args, options)
  const { code } = await running.ended.catch(() => ({ code: -1 }))
  return { code, text: `${running.stdout()}${running.stderr()}` }
}

export interface Tools {
  readonly folder: string
  /** Skips a test when they could not be installed. */
  require(context: TestContext): void
}

/** Whole or not at all, also when two runs begin at once. */
async function install(packages: readonly string[], fill: (folder: string) => Promise<Finished>): Promise<Tools> {
  const [name = ''] = packages
  const folder = join(tmpdir(), `tonrpc-${packages.join('+').replaceAll(/[^\w.+]+/g, '-')}`)
  let missing = ''
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`
    mkdirSync(draft, { recursive: true })
    const { code, text } = await fill(draft)
    if (code !== 0) missing = lastLine({ code, text })
    else if (!existsSync(folder)) renameSync(draft, folder)
    rmSync(draft, { recursive: true, force: true })
  }
  if (missing !== '' && process.env.REQUIRE_NETWORK === '1') throw new Error(`no ${name}: ${missing}`)
  return {
    folder,
    require(context) {
      if (missing !== '') context.skip(`no ${name} here: ${missing}`)
    },
  }
}

/** The packages below `node_modules` of the folder. */
export const installNpm = (packages: readonly string[]): Promise<Tools> =>
  install(packages, (folder) => {
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
    return finish('npm', [...words, ...packages], { cwd: folder })
  })

/** The packages in the folder itself, for `PYTHONPATH`. */
export const installPip = (packages: readonly string[]): Promise<Tools> =>
  install(packages, async (folder) => {
    // The interpreter itself: a version manager in front of it does more after each install, behind a lock of all runs.
    const { text } = await finish('python3', ['-c', 'import sys; print(sys.executable)'])
    // Most modules are never imported, so none is compiled before it is.
    const words = ['install', '--quiet', '--no-compile', '--disable-pip-version-check', '--root-user-action=ignore']
    return finish(text.trim() || 'python3', ['-m', 'pip', ...words, '--target', folder, ...packages])
  })

/** Runs Python with installed packages; modules in `cwd` are found too. What it compiles is kept with the packages. */
export const python = ({ folder }: Tools, cwd: string, args: readonly string[]): Promise<Finished> =>
  finish('python3', args, {
    cwd,
    env: {
      PYTHONPATH: [folder, cwd].join(delimiter),
      PYTHONPYCACHEPREFIX: join(folder, 'compiled'),
      PATH: [join(folder, 'bin'), process.env.PATH ?? ''].join(delimiter),
    },
  })

/** Without what debuggers need, and as it is written: to compile all packages for speed takes half as much again. */
const GO_WORDS = ['-mod=readonly', '-buildvcs=false', '-ldflags=-s -w', '-gcflags=all=-N -l -dwarf=false']

/** Held by the one that compiles. */
const GO_TURN = join(tmpdir(), 'tonrpc-go')

/** Waits for the lock of a folder as long as a process holds it; that of a process which has ended is taken over. */
export async function takeTurn(folder: string): Promise<FolderLock> {
  for (;;) {
    try {
      return await lockFolder(folder)
    } catch (error) {
      if (!(error instanceof FolderLocked)) throw error
      await sleep(100)
    }
  }
}

/**
 * A program in the Go module `folder`, as the file `output`. One after the other of all files and runs: what programs have in
 * common is then compiled once.
 */
export async function buildGo(folder: string, program: string, output: string): Promise<Finished> {
  const turn = await takeTurn(GO_TURN)
  try {
    const built = await finish('go', ['build', ...GO_WORDS, '-o', output, program], { cwd: folder })
    if (built.code !== 0 && process.env.REQUIRE_GO === '1') throw new Error(`no ${folder}: ${built.text}`)
    return built
  } finally {
    await turn.release()
  }
}

/** The last line of what went wrong, as the reason of a test that is skipped. */
export const lastLine = ({ text }: Finished): string => text.trim().split('\n').at(-1) || 'it cannot be run'
