// Programs of others that tests call, installed from their registry once and kept between runs in the temporary folder.
// Where there is no registry the tests that need them are skipped, or fail with `REQUIRE_NETWORK=1`.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'vitest'
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
    if (code !== 0) missing = text.trim().split('\n').at(-1) || 'not installed'
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
  install(packages, (folder) => {
    const words = ['install', '--quiet', '--disable-pip-version-check', '--root-user-action=ignore']
    return finish('python3', ['-m', 'pip', ...words, '--target', folder, ...packages])
  })

/** Runs Python with installed packages; modules in `cwd` are found too. */
export const python = ({ folder }: Tools, cwd: string, args: readonly string[]): Promise<Finished> =>
  finish('python3', args, {
    cwd,
    env: {
      PYTHONPATH: [folder, cwd].join(delimiter),
      PATH: [join(folder, 'bin'), process.env.PATH ?? ''].join(delimiter),
    },
  })
