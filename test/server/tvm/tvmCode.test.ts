import { describe, expect, test } from 'vitest'
import { readBinary } from '../../../server/tvm/binary.ts'
import { findBuild } from '../../../server/tvm/builds.ts'
import { fingerprint } from '../../../server/tvm/selfCheck.ts'
import { prepareFrom, preparePlain, prepareTvm, startMachine } from '../../../server/tvm/tvmCode.ts'

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
    ['exports that are others', { ...build, setThrew: build.stackRestore }, /./],
    ['other answers', { ...build, fingerprint: other }, /Self-check/],
  ] as const

  test.each(cases)('%s', async (_, known, reason) => {
    const code = await prepareFrom(bytes, known === null ? other : hash, known)
    expect(code.kind).toBe('plain')
    expect(code.reason).toMatch(reason)
    expect(fingerprint(await startMachine(code))).toBe(build.fingerprint)
  })
})
