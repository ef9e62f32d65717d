// `tonrpc open`: the explorer of a running service in the browser of this machine.

import { spawn } from 'node:child_process'
import { z } from 'zod'
import { command, type Io } from '../command.ts'
import { noService, otherProgram } from '../commandErrors.ts'
import { serviceUrl } from '../flags.ts'

const LONGEST_MS = 5_000

/** The program of each system that opens an address, and what comes in front of the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const OTHERS = ['xdg-open'] as const

async function checkRunning(url: string): Promise<void> {
  const asked = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(LONGEST_MS) }
  const page = await fetch(`${url}/`, asked)
    .then((reply) => reply.text())
    .catch((cause: unknown) => {
      throw noService(url, cause)
    })
  if (!page.includes('tonrpc')) throw otherProgram(url)
}

/** Whether a program for it could be started. */
function opened(url: string, env: Io['env']): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? OTHERS
  return new Promise((resolve) => {
    const started = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: { ...env } })
    started.once('error', () => resolve(false))
    started.once('spawn', () => {
      started.unref()
      resolve(true)
    })
  })
}

export const openCommand = command({
  name: 'open',
  summary: 'open the explorer of a running service in a browser',
  flags: z.strictObject({ url: serviceUrl }),
  async run({ url }, io) {
    const root = url.replace(/\/+$/, '')
    await checkRunning(root)
    const isOpened = await opened(`${root}/`, io.env)
    io.out(isOpened ? `opened ${root}/` : `there is no program to open a browser with: open ${root}/ in one`)
  },
})
