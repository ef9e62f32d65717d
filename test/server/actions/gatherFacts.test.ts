import { expect, test } from 'vitest'
import { type AccountFacts, classifyTrace, gatherFacts } from '../../../server/actions/index.ts'
import { jvault } from '../../../server/bodies/index.ts'
import { beginCell } from '../../../server/cell/index.ts'
import { message, trace, transaction } from './madeTraces.ts'
import { readTraceFixture } from './traceFixtures.ts'

/** A source that has what is known of a trace's accounts, and a count of how often it is read. */
function sourceOf(known: ReadonlyMap<string, AccountFacts>) {
  const reads: string[][] = []
  return {
    reads,
    async facts(addresses: ReadonlySet<string>): Promise<[string, AccountFacts][]> {
      reads.push([...addresses])
      return [...known]
        .filter(([address]) => addresses.has(address))
        .map(([address, { data: _, ...rest }]) => [address, rest])
    },
    async data(addresses: ReadonlySet<string>): Promise<[string, Uint8Array][]> {
      reads.push([...addresses])
      return [...known].flatMap(([address, { data }]) =>
        addresses.has(address) && data !== undefined ? [[address, data]] : [],
      )
    },
  }
}

test('default: a wallet that is named by data of a pool, which data of a stake wallet names', async () => {
  const { trace, facts: known } = readTraceFixture('jvault-11')
  const facts = await gatherFacts([trace], sourceOf(known))
  const unstake = classifyTrace(trace, facts).actions.find(({ type }) => type === 'jvault_unstake')
  expect(unstake?.details).toMatchObject({
    pool: '0:B7AE84E2451B282F37D854AEF2555A086634C4A808D05378EEEDA43B1D64D52F',
    asset: '0:8554D9516FE3471C341FBF743DC6F0D704B2656B2F39E7FC5112CAB96435FA28',
  })
})

test('behavior: no account is read twice, and reading ends when nothing is known of it', async () => {
  const { trace } = readTraceFixture('jvault-11')
  const source = sourceOf(new Map())
  expect((await gatherFacts([trace], source)).size).toBe(0)
  expect(source.reads).toHaveLength(2)
  const ofData = source.reads.at(-1) ?? []
  expect(new Set(ofData).size).toBe(ofData.length)
})

test('behavior: a trace without such accounts is read once', async () => {
  const { trace, facts } = readTraceFixture('ton-transfers-01')
  const source = sourceOf(facts)
  await gatherFacts([trace], source)
  expect(source.reads).toHaveLength(1)
})

test('behavior: of thousands of requests to take stakes back, data of some hundred accounts is read', async () => {
  const account = (i: number): string => `0:${i.toString(16).toUpperCase().padStart(64, '0')}`
  const body = beginCell().storeUint(jvault.unstake.opcode, 32).end()
  const request = (i: number) =>
    transaction({
      account: account(i + 1),
      in: message({ source: account(0), destination: account(i + 1), body }),
    })
  const source = sourceOf(new Map())
  await gatherFacts([trace(request(0), ...Array.from({ length: 3000 }, (_, i) => request(i + 1)))], source)
  expect(source.reads.slice(1).map((read) => read.length)).toEqual([255])
})

test('behavior: what is known of an account is looked at a few times, however many traces there are', async () => {
  const account = (i: number): string => `0:${i.toString(16).toUpperCase().padStart(64, '0')}`
  const traces = Array.from({ length: 200 }, (_, i) =>
    trace(
      transaction({
        account: account(2 * i + 1),
        in: message({ source: account(2 * i), destination: account(2 * i + 1) }),
      }),
    ),
  )
  let looks = 0
  const known = {
    interfaces: [],
    codeHash: null,
    get sale() {
      looks++
      return { nft: account(1), nftOwner: null, marketplace: null, price: null }
    },
  }
  const facts = async (addresses: ReadonlySet<string>) => [...addresses].map((address) => [address, known] as const)
  expect((await gatherFacts(traces, { facts, data: async () => [] })).size).toBe(400)
  expect(looks).toBeLessThanOrEqual(2 * 400)
})
