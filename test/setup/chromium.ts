// A real browser for tests: one that is installed here, never one that is downloaded.

import { accessSync, constants, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge']
const PLACES =
  process.platform === 'darwin'
    ? [
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ]
    : process.platform === 'win32'
      ? [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA]
          .filter((folder) => folder !== undefined)
          .map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe'))
      : []

/** Nothing it starts by itself may reach a network, and it must run as root in a container. */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Path of an installed Chromium (or of `CHROMIUM`, which is taken at its word), or null. */
export function findChromium(): string | null {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name + suffix)))
  return [...candidates, ...PLACES].find(isExecutable) ?? null
}

/** Says why browser tests do not run here. With `REQUIRE_BROWSER=1` that is a failure. */
export function reportNoBrowser(): void {
  const text = 'no browser here: set CHROMIUM, or put chromium or google-chrome on PATH, to run the tests in a page'
  if (process.env.REQUIRE_BROWSER === '1') throw new Error(text)
  process.stderr.write(`${text}\n`)
}

export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext
}

/** For what never comes; a busy machine must not meet it. */
const PATIENCE_MS = 300_000

/** Starts a browser with an empty profile of its own, which is removed with it. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'tonrpc-chromium-'))
  const remove = () => rm(profile, { recursive: true, force: true, maxRetries: 5 })
  try {
    const options = { executablePath, args: FLAGS, headless: true, timeout: PATIENCE_MS }
    const context = await chromium.launchPersistentContext(profile, options)
    context.setDefaultTimeout(PATIENCE_MS)
    return {
      context,
      async [Symbol.asyncDispose]() {
        await context.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
