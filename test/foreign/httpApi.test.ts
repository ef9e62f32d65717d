// The public v2 server in Python, with the network's own library below it, over our lite server; and our v2 over the same
// chain. Every method, field by field: what differs is on a list, with the reason.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { installPip, type Tools } from '../setup/foreignTools.ts'
import { run } from '../setup/runningService.ts'
import { type DemoChain, startDemoChain } from './demoChain.ts'
import { ask } from './httpApi/ask.ts'
import { differencesOf } from './httpApi/differences.ts'
import { EXCEPTIONS, type Exception, exceptionOf } from './httpApi/exceptions.ts'
import { gatherMore } from './httpApi/more.ts'
import { type Question, questionsOf } from './httpApi/questions.ts'
import { gatherFacts } from './lite/facts.ts'

const HOST = '127.0.0.1'
/** Its methods that we do not have: the public network does not serve them either. */
const NOT_ASKED = ['/jsonRPC', '/sendQuery']

const scratch = mkdtempSync(join(tmpdir(), 'tonrpc-http-api-'))
let tools: Tools
let chain: DemoChain
beforeAll(async () => {
  tools = await installPip(['ton-http-api==2.0.68'])
  // Blocks are made by hand: both have to see the same newest one.
  chain = await startDemoChain('--mining', 'manual')
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, HOST, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })

async function startTheirs(): Promise<string> {
  const port = await freePort()
  const words = ['-m', 'uvicorn', 'pyTON.main:app', '--host', HOST, '--port', String(port)]
  const server = run('python3', words, {
    cwd: scratch,
    env: {
      PYTHONPATH: tools.folder,
      TON_API_TONLIB_LITESERVER_CONFIG: chain.configPath,
      TON_API_TONLIB_KEYSTORE: `${scratch}/`,
      TON_API_LOGS_LEVEL: 'ERROR',
      TON_API_CACHE_ENABLED: '0',
    },
  })
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]()
  })
  const url = `http://${HOST}:${port}`
  const isReady = () =>
    fetch(`${url}/getMasterchainInfo`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { interval: 500 }).toBe(true)
  return url
}

async function differing(url: string, theirUrl: string, question: Question, used: Set<Exception>): Promise<string[]> {
  const [ours, theirs] = await Promise.all([ask(`${url}/api/v2`, question), ask(theirUrl, question)])
  return differencesOf({ status: ours.status, ...ours.body }, { status: theirs.status, ...theirs.body }).flatMap(
    (one) => {
      const exception = exceptionOf(question.method, one)
      if (exception !== undefined) used.add(exception)
      const values = `${JSON.stringify(one.ours)} and ${JSON.stringify(one.theirs)}`
      return exception === undefined
        ? [`${question.method} ${JSON.stringify(question.params)} ${one.path}: ${values}`]
        : []
    },
  )
}

test('v2 is that of the public server, but for what the list says', async (context) => {
  tools.require(context)
  const theirUrl = await startTheirs()
  const facts = await gatherFacts(chain.url)
  const questions = questionsOf(facts, await gatherMore(chain.url, facts))
  const used = new Set<Exception>()
  const found: string[] = []
  for (const question of questions) found.push(...(await differing(chain.url, theirUrl, question, used)))
  expect(found).toEqual([])
  expect(EXCEPTIONS.filter((one) => !used.has(one)).map(({ why }) => why)).toEqual([])
  const { paths } = (await (await fetch(`${theirUrl}/openapi.json`)).json()) as { paths: Record<string, object> }
  const asked = new Set(questions.map(({ method }) => `/${method}`))
  expect(
    Object.keys(paths)
      .filter((path) => !asked.has(path))
      .toSorted(),
  ).toEqual(NOT_ASKED)
})
