// The public v2 server in Python, with the network's own library below it, over our lite server; and our v2 over the same
// chain. Every method, field by field: what differs is on a list, with the reason.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tools } from '../setup/foreignTools.ts'
import { type DemoChain, startDemoChain } from './demoChain.ts'
import { type Answer, ask } from './httpApi/ask.ts'
import { differencesOf } from './httpApi/differences.ts'
import { EXCEPTIONS, type Exception, exceptionOf } from './httpApi/exceptions.ts'
import { gatherMore } from './httpApi/more.ts'
import { type Question, questionsOf } from './httpApi/questions.ts'
import { installTheirs, startTheirs } from './httpApi/theirs.ts'
import { gatherFacts } from './lite/facts.ts'

/** Its methods that we do not have: the public network does not serve them either. */
const NOT_ASKED = ['/jsonRPC', '/sendQuery']

interface ConsensusBlock {
  readonly consensus_block: number
}

let tools: Tools
let chain: DemoChain
beforeAll(async () => {
  tools = await installTheirs()
  // Blocks are made by hand: both have to see the same newest one.
  chain = await startDemoChain('--mining', 'manual')
})
afterAll(() => chain[Symbol.asyncDispose]())

/** Asked again when it had no answer of its lite server in time: its library waits no longer on a busy machine. */
async function answerOfTheirs(url: string, question: Question): Promise<Answer> {
  for (let triesLeft = 20; ; triesLeft--) {
    const answer = await ask(url, question)
    if (answer.status !== 504 || triesLeft === 0) return answer
  }
}

async function differing(url: string, theirUrl: string, question: Question, used: Set<Exception>): Promise<string[]> {
  const [ours, theirs] = await Promise.all([ask(`${url}/api/v2`, question), answerOfTheirs(theirUrl, question)])
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
  await using theirs = await startTheirs(tools, chain.configPath)
  const theirUrl = theirs.url
  const facts = await gatherFacts(chain.url)
  const questions = questionsOf(facts, await gatherMore(chain.url, facts))
  // Theirs polls its lite server for new blocks, and takes some rounds to agree with itself on the newest.
  const consensus: Question = { method: 'getConsensusBlock', params: {}, verb: 'GET' }
  const consensusAt = async (url: string) => (await ask(url, consensus)).body.result
  const newest = await consensusAt(`${chain.url}/api/v2`)
  await expect
    .poll(() => consensusAt(theirUrl))
    .toMatchObject({ consensus_block: (newest as ConsensusBlock).consensus_block })
  const used = new Set<Exception>()
  const found: string[] = []
  for (const question of questions) found.push(...(await differing(chain.url, theirUrl, question, used)))
  expect(found).toEqual([])
  expect(EXCEPTIONS.filter((one) => !used.has(one)).map(({ why }) => why)).toEqual([])
  const { paths } = (await (await fetch(`${theirUrl}/openapi.json`)).json()) as { paths: Record<string, object> }
  const requested = new Set(questions.map(({ method }) => `/${method}`))
  expect(
    Object.keys(paths)
      .filter((path) => !requested.has(path))
      .toSorted(),
  ).toEqual(NOT_ASKED)
})
