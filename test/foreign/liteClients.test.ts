// Clients of lite servers that others have written, against ours over the demo chain: the network's own library, and one
// each or two for Python, Go and npm. Some check every proof from the first key block on.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { buildGo, type Finished, finish, installNpm, installPip, lastLine, python } from '../setup/foreignTools.ts'
import { type DemoChain, startDemoChain, startProxy } from './demoChain.ts'
import { type Facts, gatherFacts } from './lite/facts.ts'

const folder = join(import.meta.dirname, 'lite')
const versionOf = (name: string): string => createRequire(import.meta.url)(`${name}/package.json`).version as string

interface Client {
  /** Installs it, or skips the test; returns what runs it. */
  readonly prepare: (context: TestContext) => Promise<(args: readonly string[]) => Promise<Finished>>
  /** Calls that a server has to refuse, and how the client says so. */
  readonly refused: Readonly<Record<string, RegExp>>
  /** How many calls there are in all. */
  readonly calls: number
}

/** Some clients keep files where they are run. */
const scratch = mkdtempSync(join(tmpdir(), 'tonrpc-clients-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const ofPython =
  (script: string, name: string): Client['prepare'] =>
  async (context) => {
    const tools = await installPip([name])
    tools.require(context)
    return (args) => python(tools, scratch, [join(folder, script), ...args])
  }

const ofNpm: Client['prepare'] = async (context) => {
  const tools = await installNpm(['ton-lite-client@3.1.1', `@ton/core@${versionOf('@ton/core')}`])
  tools.require(context)
  const script = join(folder, 'useTonLiteClient.mjs')
  return (args) => finish(process.execPath, [script, ...args, tools.folder], { cwd: scratch })
}

/** A program in a folder next to this file, in a module that pins what it is made of. */
const ofGo =
  (module: string, program: string): Client['prepare'] =>
  async (context) => {
    const file = join(scratch, module)
    if (!existsSync(file)) {
      const built = await buildGo(join(import.meta.dirname, module), program, file)
      if (built.code !== 0) context.skip(`no ${module} here: ${lastLine(built)}`)
    }
    return (args) => finish(file, args, { cwd: scratch })
  }

const NOT_ACCEPTED = /cannot apply external message to current state : External message was not accepted/

const CLIENTS: Readonly<Record<string, Client>> = {
  'the library of the C++ node, by pytonlib': {
    prepare: ofPython('useTonlib.py', 'pytonlib==0.0.72'),
    refused: { 'raw_send_message: stale': NOT_ACCEPTED },
    calls: 36,
  },
  'pytoniq, proving all from the first key block': {
    prepare: ofPython('usePytoniq.py', 'pytoniq==0.1.43'),
    refused: { 'raw_send_message: stale': NOT_ACCEPTED },
    calls: 27,
  },
  'tonutils of Python': {
    prepare: ofPython('useTonutils.py', 'tonutils==2.5.1'),
    refused: { 'send_message: stale': NOT_ACCEPTED },
    calls: 17,
  },
  'ton-lite-client of npm': {
    prepare: ofNpm,
    refused: { 'sendMessage: stale': NOT_ACCEPTED },
    calls: 20,
  },
  'tonutils-go, proving all from the first key block': {
    prepare: ofGo('tonutils', './lite'),
    refused: {
      'SendExternalMessage: stale': NOT_ACCEPTED,
      GetAllNonfinalPendingShardBlocks: /query is not allowed/,
      GetAllNonfinalValidatorGroups: /Unknown constructor/,
    },
    calls: 35,
  },
  tongo: { prepare: ofGo('tongo', '.'), refused: { 'SendMessage: stale': NOT_ACCEPTED }, calls: 21 },
}

let chain: DemoChain
beforeAll(async () => {
  chain = await startDemoChain()
})
afterAll(() => chain[Symbol.asyncDispose]())

interface Line {
  readonly call: string
  readonly answer?: unknown
  readonly error?: string
}

/** What each call came to, by name. */
function linesOf(text: string): Map<string, Line> {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return new Map(lines.map((line) => JSON.parse(line) as Line).map((line) => [line.call, line]))
}

async function check(
  context: TestContext,
  { prepare, refused, calls }: Client,
  { configPath }: Pick<DemoChain, 'configPath'> = chain,
): Promise<void> {
  const start = await prepare(context)
  const facts: Facts = await gatherFacts(chain.url)
  const { code, text } = await start([configPath, JSON.stringify(facts)])
  const lines = linesOf(text)
  expect(code, text).toBe(0)
  for (const [call, pattern] of Object.entries(refused)) expect(lines.get(call)?.error, text).toMatch(pattern)
  const failed = [...lines.values()].filter(({ call, error }) => error !== undefined && !(call in refused))
  expect(failed).toEqual([])
  expect([...lines.values()].filter(({ answer }) => answer === false)).toEqual([])
  expect(lines.size, text).toBe(calls)
}

for (const [name, client] of Object.entries(CLIENTS)) test(name, (context) => check(context, client))

test('all of them, through a service that verifies what it reads of another one', async (context) => {
  await using proxy = await startProxy(chain)
  for (const client of Object.values(CLIENTS)) await check(context, client, proxy)
})

test('the configuration they start from is the one that is served', async () => {
  const served = await (await fetch(`${chain.url}/global.config.json`)).text()
  expect(served).toBe(readFileSync(chain.configPath, 'utf8'))
})
