import { Cell } from '@ton/core'
import { defaultConfig, Executor as PackageExecutor } from '@ton/sandbox'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Emulator } from '../../../server/tvm/index.ts'
import { createConfig, createExecutor, preparePlain, TvmError } from '../../../server/tvm/index.ts'
import type { Outcome, Run, Runner } from './corpus.ts'
import { now, parseTransaction, runCorpus } from './corpus.ts'

const randSeed = Buffer.alloc(32, 5)

function runnerOf(executor: Emulator): Runner {
  executor.setConfig(createConfig(defaultConfig))
  return async ({ shardAccount, message, libs, ...rest }: Run): Promise<Outcome> => {
    executor.beginBlock({ now, randSeed, libs: libs?.toBoc() ?? null })
    const run = { shardAccount: shardAccount.toBoc(), ...rest }
    try {
      return message instanceof Cell
        ? executor.transaction({ ...run, message: message.toBoc() })
        : executor.tickTock({ ...run, which: message })
    } catch (cause) {
      if (!(cause instanceof TvmError) || cause.code !== 'badInput') throw cause
      return { accepted: false, reason: cause.message, exitCode: null, vmLog: '' }
    }
  }
}

/** The package's own executor. A new one for each run: it keeps libraries it was given once. */
async function runPackage({ shardAccount, message, libs, lt, ignoreSignature, ...rest }: Run): Promise<Outcome> {
  const executor = await PackageExecutor.create()
  const args = {
    config: defaultConfig,
    libs,
    verbosity: 'short' as const,
    shardAccount: shardAccount.toBoc().toString('base64'),
    now: rest.now,
    lt,
    randomSeed: randSeed,
    ignoreChksig: ignoreSignature,
    debugEnabled: false,
  }
  const { result } =
    message instanceof Cell
      ? await executor.runTransaction({ ...args, message })
      : await executor.runTickTock({ ...args, which: message })
  if (result.success) {
    const { transaction, shardAccount, actions, vmLog } = result
    return { accepted: true, transaction, shardAccount, actions, vmLog }
  }
  const { vmExitCode = null, vmLog = '' } = result.vmResults ?? {}
  return { accepted: false, reason: result.error, exitCode: vmExitCode, vmLog }
}

describe('quick, plain and the package itself', () => {
  let quick: Map<string, Outcome>
  let plain: Map<string, Outcome>

  beforeAll(async () => {
    const quickExecutor = await createExecutor()
    const plainExecutor = await createExecutor(await preparePlain())
    expect([quickExecutor.code.kind, quickExecutor.code.reason, plainExecutor.code.kind]).toEqual([
      'quick',
      null,
      'plain',
    ])
    quick = await runCorpus(runnerOf(quickExecutor))
    plain = await runCorpus(runnerOf(plainExecutor))
  })

  test('transactions, accounts, logs and refusals are the same bit by bit', () => {
    expect(quick.size).toBeGreaterThan(50)
    expect(Object.fromEntries(quick)).toEqual(Object.fromEntries(plain))
  })

  test('the package says the same of everything its small stack can hold', async () => {
    // It aborts on cells that are deep but allowed.
    const silence = vi.spyOn(console, 'error').mockReturnValue()
    const aborted = (): Outcome => ({ accepted: false, reason: 'aborted' })
    const reference = Object.fromEntries(await runCorpus((run) => runPackage(run).catch(aborted)))
    silence.mockRestore()
    for (const [name, outcome] of quick) {
      if (name.includes('deep')) continue
      expect(reference[name], name).toEqual(outcome)
    }
  })

  test('the corpus does what its names say', () => {
    const exitCodes = Object.fromEntries(
      [...quick].map(([name, outcome]) => [
        name,
        outcome.accepted ? describeCompute(outcome) : (outcome.exitCode ?? outcome.reason),
      ]),
    )
    expect(exitCodes).toMatchInlineSnapshot(`
      {
        "action list of nonsense": "exit 0, action 34",
        "bounce off an account that does not exist": "skipped: no-state, 1 out, bounced",
        "bounce off an uninitialised account": "skipped: no-state, 1 out, bounced",
        "bounced message arrives": "exit 0",
        "cell underflow": "exit 9, 1 out, bounced",
        "chain: came back": "exit 0, 1 out",
        "chain: sent": "exit 0, 1 out",
        "chain: thrown": "exit 42, 1 out, bounced",
        "code in a library": "exit 42, 1 out, bounced",
        "code in an unknown library": "exit 9, 1 out, bounced",
        "contract throws, bounces": "exit 42, 1 out, bounced",
        "contract throws, must not bounce": "exit 42",
        "data 500 cells deep": "exit 0",
        "deployed by an external message": "exit 0",
        "deployed by an internal message": "exit 0",
        "deployed with the wrong state": "skipped: bad-state, 1 out, bounced",
        "exceptions caught in a loop": "exit 0",
        "external accepted": "exit 0",
        "external accepted, then thrown": "exit 42",
        "external not accepted": 0,
        "external thrown before accepting": 42,
        "external to a poor account": "Emulate transaction failed: [Error : -701 : cannot run message on account inbound external message rejected by account 1111111111111111111111111111111111111111111111111111111111111111 before smart-contract execution]",
        "external to an absent account": "Emulate transaction failed: [Error : -701 : cannot run message on account inbound external message rejected by account 1111111111111111111111111111111111111111111111111111111111111111 before smart-contract execution]",
        "extra currencies": "exit 0",
        "in the year 2041": "exit 0",
        "integer overflow": "exit 4, 1 out, bounced",
        "internal to a silent contract": "exit 0",
        "internal to an uninitialised account": "skipped: no-state",
        "message 400 cells deep": "exit 0",
        "not a message": "Emulate transaction failed: [Error : -701 : cannot run message on account inbound external message rejected by account 1111111111111111111111111111111111111111111111111111111111111111 before smart-contract execution]",
        "not an account": "Can't unpack shard account cell",
        "replaces its code": "exit 0",
        "runs out of gas": "exit -14, bounced",
        "runs out of the most gas there is": "exit -14, 1 out, bounced",
        "sends a message": "exit 0, 1 out",
        "sends more than it has": "exit 0, action 37",
        "stack underflow": "exit 2, 1 out, bounced",
        "storage debt": "skipped: no-gas",
        "tick on a special account": "exit 0",
        "tick on an ordinary account": "exit 0",
        "to an account that does not exist": "skipped: no-state",
        "tock that throws": "exit 42",
        "too little for any gas": "skipped: no-gas, bounced",
        "tuples nested deep": "exit 0",
        "type error": "exit 7, 1 out, bounced",
        "unknown instruction": "exit 6, 1 out, bounced",
        "wallet v3r2: deploys itself": "exit 0, 2 out",
        "wallet v3r2: refuses a forged signature": 35,
        "wallet v3r2: refuses a seqno used before": 33,
        "wallet v3r2: takes a forged signature unchecked": "exit 0, 2 out",
        "wallet v3r2: transfers": "exit 0, 2 out",
        "wallet v4r2: deploys itself": "exit 0, 2 out",
        "wallet v4r2: refuses a forged signature": 35,
        "wallet v4r2: refuses a seqno used before": 33,
        "wallet v4r2: takes a forged signature unchecked": "exit 0, 2 out",
        "wallet v4r2: transfers": "exit 0, 2 out",
        "wallet v5r1: deploys itself": "exit 0, 2 out",
        "wallet v5r1: refuses a seqno used before": 133,
        "wallet v5r1: transfers": "exit 0, 2 out",
      }
    `)
  })
})

function describeCompute(outcome: Outcome): string {
  const { description, outMessagesCount } = parseTransaction(outcome)
  if (description.type !== 'generic' && description.type !== 'tick-tock') return description.type
  const { computePhase: compute, actionPhase: action } = description
  const bounced =
    description.type === 'generic' && description.bouncePhase !== undefined && description.bouncePhase !== null
  return [
    compute.type === 'vm' ? `exit ${compute.exitCode}` : `skipped: ${compute.reason}`,
    ...(action != null && action.resultCode !== 0 ? [`action ${action.resultCode}`] : []),
    ...(outMessagesCount > 0 ? [`${outMessagesCount} out`] : []),
    ...(bounced ? ['bounced'] : []),
  ].join(', ')
}
