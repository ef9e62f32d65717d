import { createHash } from 'node:crypto'
import { defaultConfig } from '@ton/sandbox'
import { describe, expect, test } from 'vitest'
import { readBinary } from '../../../server/tvm/binary.ts'
import { findBuild } from '../../../server/tvm/builds.ts'
import { createConfig, createExecutor } from '../../../server/tvm/index.ts'
import { fingerprint } from '../../../server/tvm/selfCheck.ts'
import { prepareFrom, preparePlain, prepareTvm, startMachine } from '../../../server/tvm/tvmCode.ts'
import { findStackExports } from '../../../server/tvm/wasmStack.ts'
import { boc, code, deepCell, internal, shardAccount } from './contracts.ts'

const { bytes, hash } = readBinary()
const build = findBuild(hash)
if (build === null) throw new Error('The installed emulator is not in the table of known builds')

test('default: the installed binary is known and loads the quick way', async () => {
  expect(await prepareTvm()).toMatchObject({ kind: 'quick', reason: null, hash })
  expect(await prepareTvm()).toBe(await prepareTvm())
})

test('the plain way gives the answers the table holds', async () => {
  expect(fingerprint(await startMachine(await preparePlain()))).toBe(build.fingerprint)
})

describe('falls back to the plain way, says why, and works', () => {
  const other = 'f'.repeat(64)
  const cases = [
    ['unknown binary', findBuild(other), /unknown emulator binary ffff/],
    [
      'log level elsewhere',
      { ...build, logLevel: build.logLevel + 4 },
      /Expected 2 places that set the log level, saw 0/,
    ],
    ['an export that is missing', { ...build, setThrew: 'zz' }, /exports no function zz/],
    ['exports that are others', { ...build, setThrew: findStackExports(bytes).restore }, /./],
    ['functions of get-methods elsewhere', { ...build, contractCalls: build.contractCalls + 1 }, /./],
    ['other answers', { ...build, fingerprint: other }, /Self-check/],
  ] as const

  test.each(cases)('%s', async (_, known, reason) => {
    const code = await prepareFrom(bytes, known === null ? other : hash, known)
    expect(code.kind).toBe('plain')
    expect(code.reason).toMatch(reason)
    expect(fingerprint(await startMachine(code))).toBe(build.fingerprint)
  })
})

describe('a build that is not in the table', () => {
  // A section of 2 bytes without a meaning, called `x`.
  const unknown = Buffer.concat([bytes, Buffer.from([0, 2, 1, 0x78])])
  const prepare = () => {
    const sha = createHash('sha256').update(unknown).digest('hex')
    return prepareFrom(unknown, sha, findBuild(sha))
  }

  test('has its stack moved all the same', async () => {
    const prepared = await prepare()
    expect(prepared).toMatchObject({ kind: 'plain', build: null, stack: { save: 'Ta', restore: 'Ra' } })
    expect(prepared.reason).toMatch(/unknown emulator binary/)
  })

  test('runs what overran the shipped stack, and the run after it is sound', async () => {
    const answers = []
    for (const each of [await prepare(), await prepareTvm()]) {
      const executor = await createExecutor(each)
      executor.setConfig(createConfig(defaultConfig))
      executor.beginBlock({ now: 1_700_000_000, randSeed: Buffer.alloc(32, 5) })
      const run = (depth: number) => {
        const account = boc(shardAccount({ code: code.accepting, data: deepCell(depth) }))
        const result = executor.transaction({ shardAccount: account, message: boc(internal({})), lt: 1_000_000n })
        return result.accepted ? result.transaction : result.reason
      }
      answers.push([run(1), run(500), run(1), run(300), run(1), executor.broken])
    }
    const [first] = answers
    expect(first?.[2]).toBe(first?.[0])
    expect(first?.[5]).toBe(false)
    expect(answers[1]).toEqual(first)
  })

  test('is refused when its stack cannot be found', async () => {
    const hidden = Buffer.from(bytes)
    // The export that sets the stack pointer becomes one that is something else.
    const name = Buffer.from([2, ...Buffer.from(findStackExports(bytes).restore), 0])
    let sites = 0
    for (let at = hidden.indexOf(name); at >= 0; at = hidden.indexOf(name, at + 1)) {
      hidden[at + 4] = (hidden[at + 4] ?? 0) ^ 1
      sites++
    }
    expect(sites).toBeGreaterThan(0)
    await expect(prepareFrom(hidden, 'f'.repeat(64), null)).rejects.toThrow(/does not show its stack pointer/)
  })
})
