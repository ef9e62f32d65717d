// Processes of the command, and what they print.

import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** As built: this file is next to the one that ends with its parent. */
const MAIN = pathOf('../bin/main.js')
const ENDS_WITH_PARENT = pathOf('./endWithParent.js')

/** The command runs in Node, also for tests in Bun or Deno. */
const NODE = 'bun' in process.versions || 'deno' in process.versions ? 'node' : process.execPath

/** The end of what a process printed is kept for an error. */
const MOST_KEPT = 4_000

/** After that a process that was told to end is killed. */
const STOP_MS = 10_000

/** Settings come from the test alone; and below npm a service would also look for the end of its parent itself. */
const LEFT_OUT = /^(?:TONRPC_|npm_lifecycle_event$)/

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEFT_OUT.test(name)))

export class CommandProcess {
  readonly #child: ChildProcess
  readonly ended: Promise<void>
  #hasEnded = false
  #printed = ''

  constructor(words: readonly string[]) {
    const child = spawn(NODE, words, {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    })
    this.#child = child
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#hasEnded = true
        resolve()
      }
      child.once('close', end)
      child.once('error', (error) => {
        this.#note(String(error))
        end()
      })
    })
    for (const stream of this.#streams) stream.setEncoding('utf8').on('data', (text: string) => this.#note(text))
  }

  /** What it printed last. */
  get printed(): string {
    return this.#printed.trim()
  }

  get hasFailed(): boolean {
    return this.#child.exitCode !== 0
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** The first group of a pattern once it is printed; null when the process ends before. */
  find(pattern: RegExp): Promise<string | null> {
    const { stdout } = this.#child
    let text = ''
    return new Promise((resolve) => {
      const look = (piece: string): void => {
        text += piece
        const [, found] = pattern.exec(text) ?? []
        if (found !== undefined) end(found)
      }
      const end = (found: string | null): void => {
        stdout?.off('data', look)
        resolve(found)
      }
      stdout?.on('data', look)
      void this.ended.then(() => end(null))
    })
  }

  /** Lets the process of the tests end: this one ends with it. */
  release(): void {
    this.#child.unref()
    // Bun's channel has no such function, and keeps no process; its streams are no sockets, and do.
    this.#child.channel?.unref?.()
    for (const stream of this.#streams) if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return
    this.#child.ref()
    this.#child.kill()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    await this.ended
    clearTimeout(timer)
  }

  get #streams() {
    const { stdout, stderr } = this.#child
    return [stdout, stderr].filter((stream) => stream !== null)
  }

  #note(text: string): void {
    this.#printed = `${this.#printed}${text}`.slice(-MOST_KEPT)
  }
}

async function untilEnded(command: CommandProcess): Promise<void> {
  await command.ended
  if (command.hasFailed) throw new Error(command.printed)
}

/** Runs a command to its end. Throws Error with what it printed. */
export const runCommand = (words: readonly string[]): Promise<void> => untilEnded(new CommandProcess([MAIN, ...words]))

/** A command that ends with this process, and then removes the folder. */
export const startInFolder = (folder: string, words: readonly string[]): CommandProcess =>
  new CommandProcess([ENDS_WITH_PARENT, folder, MAIN, ...words])

/** The same to its end. Throws Error with what it printed. */
export const runInFolder = (folder: string, words: readonly string[]): Promise<void> =>
  untilEnded(startInFolder(folder, words))
