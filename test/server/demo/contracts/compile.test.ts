import { statSync } from 'node:fs'
import { Cell } from '@ton/core'
import { expect, test } from 'vitest'
import { buildDemoContracts } from '../../../../server/demo/contracts/buildDemoContracts.ts'
import { demoCompiledPath, demoSourceFolder } from '../../../../server/demo/contracts/compiledDemo.ts'
import { compiledContract, contractCode, demoSources } from '../../../../server/demo/contracts/index.ts'
import { compileContracts } from '../../../../server/devchain/contracts/compile.ts'
import { readCompiled } from '../../../../server/devchain/contracts/contractCodes.ts'

test('default: the same sources give the same code, and that is what was built', async () => {
  const built = readCompiled(demoCompiledPath)
  expect(Object.keys(built.contracts)).toEqual([...demoSources])
  // One of them: each takes a while.
  const { contracts, fingerprint } = await compileContracts({ folder: demoSourceFolder, names: ['jetton/wallet'] })
  expect(fingerprint).toBe(built.fingerprint)
  expect(contracts['jetton/wallet']).toEqual(built.contracts['jetton/wallet'])
})

test('behavior: with nothing changed, nothing is written', async () => {
  const before = statSync(demoCompiledPath)
  await buildDemoContracts()
  expect(statSync(demoCompiledPath)).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino })
})

test.each([...demoSources])('%s has the hash that is written next to it', (name) => {
  const { boc, hash } = compiledContract(name)
  expect(contractCode(name).hashHex()).toBe(hash)
  expect(Cell.fromBase64(boc).hash().toString('hex')).toBe(hash)
})
