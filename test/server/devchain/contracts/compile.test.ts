import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cell } from '@ton/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildContracts } from '../../../../server/devchain/contracts/buildContracts.ts'
import { compileContracts, fingerprintOf, walletCodes } from '../../../../server/devchain/contracts/compile.ts'
import { compiledPath, sourceFolder } from '../../../../server/devchain/contracts/compiled.ts'
import { readCompiled } from '../../../../server/devchain/contracts/contractCodes.ts'
import {
  compiledContract,
  contractCode,
  tolkContracts,
  walletContracts,
} from '../../../../server/devchain/contracts/index.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonrpc-tolk-'))
  cpSync(sourceFolder, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('compiling', () => {
  test('default: the same sources give the same code, and that is what was built', async () => {
    const built = readCompiled(compiledPath)
    expect(Object.keys(built.contracts)).toEqual([...tolkContracts, ...walletContracts])
    // Some of them: each takes a while.
    const names = ['faucet', 'highload'] as const
    const { contracts, fingerprint } = await compileContracts({ folder, names, further: walletCodes })
    expect(fingerprint).toBe(built.fingerprint)
    for (const name of [...names, ...walletContracts]) expect(contracts[name]).toEqual(built.contracts[name])
  })

  test('behavior: a change in a part of a contract makes the result stale', () => {
    const before = fingerprintOf(folder)
    writeFileSync(join(folder, 'elector/data.tolk'), `${readFileSync(join(folder, 'elector/data.tolk'), 'utf8')}\n`)
    expect(fingerprintOf(folder)).not.toBe(before)
  })

  test('error: a source that does not compile is named with the reason', async () => {
    writeFileSync(join(folder, 'config.tolk'), 'fun onInternalMessage(in: InMessage) { nowhere(); }')
    await expect(compileContracts({ folder, names: tolkContracts })).rejects.toThrow(
      /config\.tolk does not compile:.*nowhere/s,
    )
  })
})

describe('building', () => {
  test('behavior: with nothing changed, nothing is written', async () => {
    const before = statSync(compiledPath)
    await buildContracts()
    expect(statSync(compiledPath)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino })
  })
})

describe('loading', () => {
  test.each([
    ['no file', null],
    ['half a file', '{"fingerprint": "ab", "contr'],
    ['another file', '{}'],
    ['nothing', 'null'],
  ])('error: %s says what to run', (_, text) => {
    const path = join(folder, 'compiled.json')
    if (text !== null) writeFileSync(path, text)
    expect(() => readCompiled(path)).toThrow(`The compiled contracts are missing (${path}): run \`npm run build\``)
  })

  test.each([...tolkContracts, ...walletContracts])('%s has the hash stored with it', (name) => {
    const { boc, hash } = compiledContract(name)
    expect(contractCode(name).hashHex()).toBe(hash)
    expect(Cell.fromBase64(boc).hash().toString('hex')).toBe(hash)
  })

  test('behavior: a code is read once', () => {
    expect(contractCode('elector')).toBe(contractCode('elector'))
  })
})
