// The README is held to its word: its table, its commands, its calls and what they answer.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readmeFile, withSettings } from './setup/readme.ts'
import { type RunningService, root, run, startBuilt } from './setup/runningService.ts'

const text = readFileSync(readmeFile, 'utf8')
const { scripts, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

interface Block {
  readonly language: string
  readonly code: string
}

const blocks: readonly Block[] = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
  language,
  code: code.trim(),
}))

/** Calls by curl, each with the reply that stands after it. */
const calls = blocks.flatMap(({ code }, i) => {
  const reply = blocks[i + 1]
  return code.startsWith('curl ') && reply?.language === 'json' ? [{ code, reply: reply.code }] : []
})
const scriptsOfClient = blocks.filter(({ language }) => language === 'js').map(({ code }) => code)

test('the table of settings is the one of today', () => {
  expect(text, 'npm run readme writes it anew').toBe(withSettings(text))
})

test('every script it names is there', () => {
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('every path of the layout is there', () => {
  const layout = text.slice(text.indexOf('## Layout'), text.indexOf('## Decisions'))
  const paths = [...layout.matchAll(/`((?:shared|client|server|test|\.ci)\/[\w./]*)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('every link inside it leads somewhere', () => {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'))
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = '']) => target)
  expect(links.filter((target) => !headings.includes(target))).toEqual([])
})

test('the last change is that of this version', () => {
  expect(/^### (\S+)$/m.exec(text.slice(text.indexOf('## Changes')))?.[1]).toBe(version)
})

describe('against a running service', () => {
  let service: RunningService
  const data = mkdtempSync(join(tmpdir(), 'tonrpc-readme-'))
  beforeAll(async () => {
    service = await startBuilt(['--data', data])
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    rmSync(data, { recursive: true, force: true })
  })
  const here = (code: string) => code.replaceAll('http://localhost:8081', service.url)
  /** Time and duration differ from call to call. */
  const steady = (reply: string) => reply.replace(/"@extra":"[^"]*"/g, '"@extra":""').trim()

  test('every other call goes through', async () => {
    const told = blocks.filter(({ code }) => code.startsWith('curl ') && !calls.some((call) => call.code === code))
    for (const { code } of told) {
      await using shell = run('sh', ['-c', here(code)])
      const isV3 = code.includes('/api/v3/')
      const said = expect.stringMatching(isV3 ? /^\{"(?!error")/ : /"ok":true/)
      expect([(await shell.ended).code, shell.stdout()]).toEqual([0, said])
    }
    expect(told.length).toBeGreaterThan(0)
  })

  test.for(calls)('call $code', async ({ code, reply }, context) => {
    await using shell = run('sh', ['-c', here(code)])
    const { code: ended } = await shell.ended
    if (ended === 127) context.skip('there is no sh with curl here')
    expect([ended, steady(shell.stdout())]).toEqual([0, steady(reply)])
  })

  test.for(scriptsOfClient)('script %#', async (code) => {
    await using script = run(process.execPath, ['--input-type=module', '-e', here(code)], { cwd: root })
    const { code: ended } = await script.ended
    const expected = [...code.matchAll(/\/\/ -> (.*)$/gm)].map(([, line = '']) => line)
    expect([ended, script.stderr(), script.stdout().trim().split('\n')]).toEqual([0, '', expected])
  })

  test('there was something to try', () => {
    expect([calls.length, scriptsOfClient.length]).toEqual([6, 5])
  })
})
