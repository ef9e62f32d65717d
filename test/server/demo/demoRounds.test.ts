// Rounds after the story: sets follow each other by elections, the pool stakes and earns, and a chain without callers rests.

import { beforeAll, describe, expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { readElector, readPool } from '../../../server/demo/duties.ts'
import { createCast, createRounds, demoStory } from '../../../server/demo/index.ts'
import { createCrew, demoPool } from '../../../server/demo/parts/crew.ts'
import { type Devchain, dataAt, ELECTOR_ADDRESS, openDevchain } from '../../../server/devchain/index.ts'
import { configParam } from '../../../server/tlb/index.ts'
import { stillClock, validatorKeysOf } from '../devchain/devchains.ts'
import { checkChain } from '../devchain/lightCheck.ts'
import { readChain } from './readChain.ts'

const cast = createCast(-3)
const pool = demoPool(cast).address
let chain: Devchain
const refused: string[] = []
const warnings: string[] = []

beforeAll(async () => {
  chain = await openDevchain({
    story: demoStory,
    mining: 'manual',
    now: stillClock().now,
    log: (line) => warnings.push(line),
  })
  await chain.player.play()
  return () => chain.close()
})

const dataOf = (account: typeof pool) => {
  const data = dataAt(chain.reader.moment(), account)
  if (data === null) throw new Error('Not deployed')
  return data
}
const current = () => configParam(chain.reader.moment().master.extra.config, 34)

/** Blocks at so many seconds' distance, with all that is sent at each of them. */
async function pass(rounds: ReturnType<typeof createRounds>, blocks: number, seconds: number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await chain.control.increaseTime(seconds)
    await chain.control.mine(1)
    await rounds.settled()
  }
}

const poolAmount = async () => {
  const data = (await readChain(chain)).get(pool, 'get_pool_data')
  data.skip(3)
  return data.readBigNumber()
}

test('default: each term is followed by one of a new set, stakes come back, and the pool earns again', async () => {
  const rounds = createRounds(chain, (_, { error }) => refused.push(String(error)))
  const begins = new Set([current()?.utimeSince])
  const amount = await poolAmount()
  const states = new Set<boolean>()
  // Five terms and a half.
  for (let minute = 0; minute < 110; minute++) {
    await pass(rounds, 1, 60)
    begins.add(current()?.utimeSince)
    states.add(readPool(dataOf(pool)).isFree)
  }
  rounds.close()
  expect(refused).toEqual([])
  expect(begins.size).toBeGreaterThanOrEqual(5)
  expect(states).toEqual(new Set([true, false]))
  expect(await poolAmount()).toBeGreaterThan(amount)
  expect(current()?.total).toBe(3)
  expect(new Set(validatorKeysOf(chain).map(String)).size).toBe(3)
  await checkChain(chain)
})

test('behavior: a jump of days costs one election, not one for each term that has passed', async () => {
  const rounds = createRounds(chain, (_, { error }) => refused.push(String(error)))
  const { master } = chain.head()
  await pass(rounds, 1, 5 * 86_400)
  await pass(rounds, 30, 60)
  rounds.close()
  expect(current()?.utimeSince).toBeGreaterThan(master.utime + 5 * 86_400)
  expect(refused).toEqual([])
})

describe('what rests', () => {
  const members = () => {
    const { open } = readElector(dataOf(ELECTOR_ADDRESS))
    return open === null ? null : createCrew(cast, chain.validators).filter((one) => open.has(one.validator.publicKey))
  }

  test('behavior: without callers nothing is staked until there are some again', async () => {
    let isUsed = false
    const rounds = createRounds({ ...chain, isUsed: () => isUsed }, (_, { error }) => refused.push(String(error)))
    await pass(rounds, 60, 60)
    expect(members()).toEqual([])
    expect(chain.control.state().pending).toBe(0)
    isUsed = true
    const before = current()?.utimeSince ?? 0
    await pass(rounds, 6, 60)
    rounds.close()
    expect(current()?.utimeSince).toBeGreaterThan(before)
    expect(current()?.total).toBe(3)
    expect(refused).toEqual([])
  })
})

test('behavior: an elector whose data cannot be read stops the stakes, and nothing else', async () => {
  const lines: string[] = []
  const rounds = createRounds(chain, (line) => lines.push(line))
  const { workchain, hash } = ELECTOR_ADDRESS
  const mark = await chain.control.snapshot()
  await chain.control.setAccount({ workchain, id: hash, data: beginCell().end() })
  const warned = warnings.length
  await pass(rounds, 3, 60)
  expect(lines).toContain('Data of the elector or the pool cannot be read: nothing is staked')
  expect(warnings.slice(warned)).toEqual([])
  await chain.control.revert(mark)
  rounds.close()
})
