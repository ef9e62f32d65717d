// What all commands have in common: the words of their refusals, the form of their help, and where values come from.

import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { Settings } from '../../../server/app/settings/settings.ts'
import { command } from '../../../server/cli/command.ts'
import { CommandError } from '../../../server/cli/commandErrors.ts'
import { commandOf, start } from '../../../server/cli/commands.ts'
import { flagsOf, settingFlag, settings } from '../../../server/cli/flags.ts'
import { seedCommand } from '../../../server/cli/seed/command.ts'

async function run(argv: readonly string[], env: Record<string, string> = {}, one = commandOf(argv)) {
  const said = { out: [] as string[], err: [] as string[] }
  const io = { env, out: (text: string) => void said.out.push(text), err: (text: string) => void said.err.push(text) }
  return { code: await one.command.run(one.rest, io), ...said }
}

function file(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'tonrpc-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'own.json'), JSON.stringify(content))
  return join(folder, 'own.json')
}

const COMMANDS = [[], ['keys', 'create'], ['keys', 'list'], ['keys', 'rotate'], ['seed'], ['classify']]

describe.each(COMMANDS.map((words) => [['tonrpc', ...words].join(' '), words] as const))('%s', (_, words) => {
  test('refuses what it does not know in the same words, and does nothing', async () => {
    const wrong = async (...more: string[]) => await run([...words, ...more])
    const refused = (text: string) => ({ code: 2, out: [], err: [text] })
    expect(await wrong('--bogus')).toEqual(refused('tonrpc: unknown flag --bogus: --help lists them all'))
    expect(await wrong('--hlp')).toEqual(
      refused('tonrpc: unknown flag --hlp, did you mean --help?: --help lists them all'),
    )
    expect(await wrong('--help=1')).toEqual(refused('tonrpc: --help takes no value'))
    const stray = await wrong('some', 'more words')
    expect(stray).toMatchObject({
      code: 2,
      out: [],
      err: [expect.stringMatching(/^tonrpc: unexpected ".*lists them all$/)],
    })
  })

  test('explains itself in the same form', async () => {
    for (const flag of ['--help', '-h']) {
      const { code, out, err } = await run([...words, flag])
      expect([code, err]).toEqual([0, []])
      expect(out.join('\n')).toMatch(/^tonrpc.*: .+\n\nusage: tonrpc [^\n]*\[flags\]/)
      expect(out.join('\n')).toMatch(/\ngeneral:\n( {2}--config file .*\n)? {2}--help, --version +print this text/)
    }
    expect(await run([...words, '--version'])).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^\d+\.\d+\.\d+$/)],
    })
  })
})

test('the help of the service has every setting once, behind it the file that can hold its value', () => {
  const shown = [...start.help().matchAll(/^ {2}--([\w-]+) /gm)].map(([, flag]) => flag)
  const flags = settings.map(({ flag }) => flag)
  expect(shown.filter((flag) => flag !== 'config').sort()).toEqual([...flags].sort())
  for (const [at, flag] of shown.entries()) {
    const [, value] = /^(.+)-file$/.exec(flag ?? '') ?? []
    if (value !== undefined) expect(shown[at - 1]).toBe(value)
  }
})

test('the help of the service names every other command', () => {
  for (const name of ['keys', 'seed', 'classify']) expect(start.help()).toContain(`tonrpc ${name} --help`)
})

describe('seed', () => {
  test('says how to start a service where there is none', async () => {
    expect(await run(['seed', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      code: 1,
      err: ['tonrpc: no service answers at http://127.0.0.1:1: start it with tonrpc, or name another with --url'],
    })
  })

  test('says what to look at where another program answers', async () => {
    const other = createServer((_, res) => res.writeHead(501).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const { code, err } = await run(['seed', '--url', url])
    expect([code, err[0]]).toEqual([1, expect.stringMatching(/^tonrpc: stopped: .* HTTP 501 .*: check url, /)])
  })
})

test('seed shows what a service refused without what moves the cursor', async () => {
  const error = { code: -32603, message: 'no \u001b[2Jblock' }
  const service = createServer((req, res) => {
    let text = ''
    req.on('data', (part: Buffer) => (text += part.toString()))
    req.on('end', () => {
      const sent: unknown = JSON.parse(text)
      const answers = [sent].flat().map((call) => ({ jsonrpc: '2.0', error, id: (call as { id: number }).id }))
      res.setHeader('Content-Type', 'application/json').end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void service.close())
  await once(service, 'listening')
  const { code, err } = await run(['seed', '--url', `http://127.0.0.1:${(service.address() as AddressInfo).port}`])
  expect([code, err]).toEqual([1, ['tonrpc: stopped: dev.state: no ?[2Jblock (internal)']])
})

describe('settings of the service', () => {
  const token = 'x'.repeat(16)

  test('come from flags over the environment over the config file, in other commands too', () => {
    const config = file({ controlToken: `file${token}`, port: 1 })
    const read = (argv: string[], env = {}) => seedCommand.read({ argv, env })
    expect(read(['--config', config])).toMatchObject({ values: { controlToken: `file${token}` } })
    const env = { TONRPC_CONFIG: config, TONRPC_CONTROL_TOKEN: `env${token}` }
    expect(read([], env)).toMatchObject({ values: { controlToken: `env${token}` } })
    expect(read(['--control-token', token], env)).toMatchObject({ values: { controlToken: token } })
  })

  test('that a command does not take are none of its business, unknown ones are refused', async () => {
    expect(seedCommand.read({ argv: [], env: { TONRPC_PORT: 'abc' } }).kind).toBe('run')
    for (const words of [['keys', 'list'], ['seed']])
      expect(await run(words, { TONRPC_PROT: '1' })).toMatchObject({
        code: 2,
        err: [
          'tonrpc: unknown setting TONRPC_PROT in the environment, did you mean TONRPC_PORT?: --help lists them all',
        ],
      })
  })

  test('are refused with both names and where they were found; a secret is not shown', async () => {
    const { code, err } = await run(['seed'], { TONRPC_CONTROL_TOKEN: 'short' })
    expect([code, err]).toEqual([
      2,
      [
        'tonrpc: --control-token (TONRPC_CONTROL_TOKEN) takes a secret of at least 16 ASCII characters in the environment',
      ],
    ])
    expect((await run(['keys', 'list', '--config', file({ data: 1 })])).err[0]).toMatch(
      /^tonrpc: --data \(TONRPC_DATA\) takes text, not 1 in config file /,
    )
  })

  test('keep their name as flags of other commands', () => {
    const flags = flagsOf(z.strictObject({ data: settingFlag(Settings.shape.data, 'elsewhere'), own: z.string() }))
    expect(flags).toMatchObject([
      { flag: 'data', env: 'TONRPC_DATA', fallback: '.tonrpc', description: 'elsewhere', isNeeded: false },
      { flag: 'own', env: null, isNeeded: true },
    ])
    expect(settings.find(({ name }) => name === 'data')?.description).not.toBe('elsewhere')
  })
})

describe('a command', () => {
  const own = (work: () => Promise<void>) =>
    command({
      name: 'own',
      summary: 'try',
      words: [{ name: 'WHAT', description: 'anything' }],
      flags: z.strictObject({ size: z.int().max(9), lists: z.array(z.string()).default([]) }),
      run: work,
    })
  const runOwn = (argv: string[], work = async () => {}) => run(argv, {}, { command: own(work), rest: argv })

  test('gets values as its schema has them, and its words', async () => {
    const { read } = own(async () => {})
    expect(read({ argv: ['--size=3', 'it', '--lists', 'a, b', '--lists=c'], env: {} })).toEqual({
      kind: 'run',
      values: { size: 3, lists: ['a', 'b', 'c'] },
      words: ['it'],
    })
  })

  test('that lacks something says what', async () => {
    expect((await runOwn(['it'])).err).toEqual(['tonrpc: own needs --size number: --help lists them all'])
    expect((await runOwn(['--size', '1'])).err).toEqual(['tonrpc: own needs WHAT: anything'])
    expect((await runOwn(['', '--size', '1'])).err).toEqual(['tonrpc: own needs WHAT: anything'])
    expect((await runOwn(['it', '--size', '10'])).err[0]).toMatch(/^tonrpc: --size takes a whole number .*, not 10$/)
  })

  test('fails with 1 and a line; an unexpected failure is passed on', async () => {
    const failed = await runOwn(['it', '--size', '1'], () => Promise.reject(new CommandError('the disk is full')))
    expect(failed).toEqual({ code: 1, out: [], err: ['tonrpc: the disk is full'] })
    await expect(runOwn(['it', '--size', '1'], () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
  })
})
