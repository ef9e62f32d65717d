// README and guides as a reader follows them: every command runs, every shown reply comes. One service with a chain of a few
// blocks serves them all, one after the other: what a text shows holds for a service that is in use.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../client/index.ts'
import { commandsOf, type Document, documents } from './setup/documents.ts'
import { mainFile, type RunningService, root, run, startBuilt } from './setup/runningService.ts'

interface Step {
  readonly kind: 'script' | 'command'
  readonly code: string
  /** What is shown after it, or null. */
  readonly reply: string | null
}

/** In the order of the text: later ones may build on what earlier ones did. */
const stepsOf = ({ blocks }: Document): readonly Step[] =>
  blocks.flatMap((block, i): Step[] => {
    if (block.language === 'js') return [{ kind: 'script', code: block.code, reply: null }]
    const commands = commandsOf(block)
    const next = blocks[i + 1]
    const isShown = commands.length === 1 && next?.language === 'json' && commands[0]?.startsWith('curl ')
    return commands.map((code) => ({ kind: 'command', code, reply: isShown ? next.code : null }))
  })

/** Tried elsewhere or not here: installing and packing in package.test.ts, starting in each of these services, Blueprint. */
const ELSEWHERE =
  /^(npm (ci|start(?! -- --(?:network|fork-from) custom)|pack|init|install)\b|npx (blueprint|tonrpc open)|curl -N |mkdir |mv |cd )/
const COMMAND = /^(?:npm run (?=(?:keys|seed|classify|doctor) -- )|npx tonrpc (?=webhooks ))(\w+) (?:-- )?(.*)$/s
/** A process that reads the chain of the first one, or begins with its accounts. */
const SECOND = /^npm start -- (--(?:network|fork-from) custom .*)$/s

/** Time and duration differ from call to call. */
const steady = (reply: string) => reply.replace(/"@extra":"[^"]*"/g, '"@extra":""').trim()

/** Replies of calls without a shown one: a failure has `error` first, or is not ok. */
const isGood = (reply: string): boolean =>
  !/"ok":false|^\{"error"|"ready":false/.test(reply) && /^[[{]/.test(reply.trim())

/** Stands for the endpoint of webhooks in the guides. */
const endpoint = createServer((_request, response) => response.end())
beforeAll(() => new Promise<void>((resolve) => void endpoint.listen(0, '127.0.0.1', resolve)))
afterAll(() => void endpoint.close())

let service: RunningService
const data = mkdtempSync(join(tmpdir(), 'tonrpc-documents-'))
beforeAll(async () => {
  service = await startBuilt(['--data', data, '--lite-port', '0', '--webhook-private'])
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(data, { recursive: true, force: true })
})

test('a few blocks are there', async () => {
  const client = createClient({ url: service.url, timeoutMs: 300_000 })
  await client.dev.mine({ blocks: 3 })
  await expect.poll(async () => (await client.v3.blocks({ workchain: -1, seqno: 3 })).blocks.length).toBe(1)
})

const tried = { replies: 0, calls: 0, scripts: 0, commands: 0 }

describe.each(documents.filter(({ blocks }) => blocks.some(({ language }) => /^(sh|js)$/.test(language))))(
  '$path',
  (document) => {
    let second: RunningService | null = null
    afterAll(async () => await second?.[Symbol.asyncDispose]())

    const here = (code: string) =>
      code
        .replaceAll('http://localhost:8081', service.url)
        .replaceAll('http://localhost:8082', second?.url ?? '')
        .replaceAll('https://example.com', `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`)

    /** Keys are in the folder of this service, the others find it by its address. */
    const runCommand = async (name: string, words: string) => {
      const isByFolder = name === 'keys' || name === 'doctor'
      const own = words === '--help' ? '' : isByFolder ? `--data '${data}'` : `--url ${service.url}`
      await using shell = run('sh', ['-c', `'${process.execPath}' '${mainFile}' ${name} ${here(words)} ${own}`])
      expect([(await shell.ended).code, shell.stderr()]).toEqual([0, ''])
      tried.commands++
    }

    /** On a port and with a folder of its own; calls shown after it find it ready. */
    const runSecond = async (words: string) => {
      const own = here(words)
        .replace(/--(?:port|data) \S+/g, '')
        .trim()
      second = await startBuilt([...own.split(/ +/), '--data', join(data, `second of ${basename(document.path)}`)])
      const { url } = second
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
      const newest = createClient({ url, timeoutMs: 300_000 })
      await expect.poll(async () => (await newest.v3.blocks({ workchain: -1, seqno: 1 })).blocks.length).toBe(1)
      tried.commands++
    }

    const runScript = async (code: string) => {
      await using script = run(process.execPath, ['--input-type=module', '-e', here(code)], { cwd: root })
      const { code: ended } = await script.ended
      const expected = [...code.matchAll(/\/\/ -> (.*)$/gm)].map(([, line = '']) => line)
      expect([ended, script.stderr(), script.stdout().trim()]).toEqual([0, '', expected.join('\n')])
      tried.scripts++
    }

    const runCall = async (code: string, reply: string | null) => {
      expect(code).toMatch(/^curl /)
      const answer = async () => {
        await using shell = run('sh', ['-c', here(code)])
        expect((await shell.ended).code).toBe(0)
        return shell.stdout()
      }
      // An index follows a chain, and is behind for a moment.
      if (code.includes('/readyz')) await expect.poll(answer).toContain('"ready":true')
      const answered = await answer()
      if (reply === null) expect(isGood(answered), answered).toBe(true)
      else expect(steady(answered)).toBe(steady(reply))
      tried[reply === null ? 'calls' : 'replies']++
    }

    test.for(stepsOf(document).filter(({ code }) => !ELSEWHERE.test(code)))('$kind: $code', ({ kind, code, reply }) => {
      const [, name, words = ''] = COMMAND.exec(code) ?? []
      if (kind === 'script') return runScript(code)
      const secondWords = SECOND.exec(code)?.[1]
      if (secondWords !== undefined) return runSecond(secondWords)
      return name === undefined ? runCall(code, reply) : runCommand(name, words)
    })

    test('what is shown of the banner is in it', () => {
      const banner = service.stdout().replaceAll(service.url.replace(/^http/, 'ws'), 'ws://127.0.0.1:8081')
      const printed = steadyBanner(banner.replaceAll(service.url, 'http://127.0.0.1:8081')).split('\n')
      const shown = document.blocks.filter(({ code }) => code.startsWith('tonrpc '))
      const lines = shown.flatMap(({ code }) => steadyBanner(code).trimEnd().split('\n'))
      expect(lines.filter((line) => line.trim() !== '...' && !printed.includes(line))).toEqual([])
    })
  },
)

const steadyBanner = (text: string) => text.replace(/ready in [\d.]+ s/, 'ready')

test('there was something to try', () => {
  expect(tried.replies).toBeGreaterThan(6)
  expect(tried.calls).toBeGreaterThan(6)
  expect(tried.scripts).toBeGreaterThan(8)
  expect(tried.commands).toBeGreaterThan(3)
})
