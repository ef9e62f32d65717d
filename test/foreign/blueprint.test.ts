// Blueprint as its users call it: a project from its template, whose script deploys a contract to the service.

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { finish, installNpm } from '../setup/foreignTools.ts'
import { forAllTests, serve } from '../setup/service.ts'

const project = mkdtempSync(join(tmpdir(), 'tonrpc-blueprint-'))
const service = forAllTests(() => serve())
const tools = await installNpm([
  '@ton/blueprint@0.46.0',
  '@ton/core@0.63.1',
  '@ton/crypto@3.3.0',
  '@ton/ton@16.3.0',
  '@ton/tolk-js@1.3.0',
  'typescript@5.9.3',
])
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** The command of the guide, after `npx`. */
const TO_SERVICE = (url: string): readonly string[] =>
  `--custom ${url}/api/v2/jsonRPC --custom-version v2 --custom-type testnet --mnemonic`.split(' ')

const blueprint = (...args: readonly string[]) => finish('npx', ['blueprint', ...args], { cwd: project })

const compilerOptions = {
  target: 'es2020',
  module: 'commonjs',
  esModuleInterop: true,
  strict: true,
  skipLibCheck: true,
}

beforeAll(async () => {
  symlinkSync(join(tools.folder, 'node_modules'), join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'counter', private: true }))
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await blueprint('create', 'Counter', '--type', 'tolk-counter')
})

const deploys = async (context: TestContext, wallet: string): Promise<void> => {
  tools.require(context)
  const client = createClient({ url: service().url })
  const { accounts } = await client.dev.state()
  const { mnemonic, kind, friendly } = accounts.find(({ name }) => name === wallet) ?? {}
  writeFileSync(
    join(project, '.env'),
    `WALLET_MNEMONIC="${mnemonic}"\nWALLET_VERSION=${kind === 'v5r1' ? kind : 'v4'}\n`,
  )

  const deployed = await blueprint('run', 'deployCounter', ...TO_SERVICE(service().url))
  expect(deployed.text).toContain(`Connected to wallet at address: ${friendly}`)
  const [, address = ''] = /Contract deployed at address (\S+)/.exec(deployed.text) ?? [deployed.text]
  expect(await client.getAddressState({ address })).toBe('active')

  const counted = await blueprint('run', 'incrementCounter', address, ...TO_SERVICE(service().url))
  expect(counted.text).toContain('Counter increased successfully!')
  const { stack } = await client.runGetMethodStd({ address, method: 'currentCounter', stack: [] })
  expect(stack).toMatchObject([{ number: { number: '1' } }])
}

test('a wallet v4 deploys a counter, which counts', (context) => deploys(context, 'wallet4'))
test('so does a wallet v5, whose address has the network in it', (context) => deploys(context, 'wallet8'))
