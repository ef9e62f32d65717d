// The client as its users get it: packed from `client/`, installed into an empty folder, compiled against, and read by a
// language server. It is small, brings nothing along, and its flat types are those of the registry.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MethodSpec } from '../shared/method.ts'
import { registry } from '../shared/registry.ts'
import { startLanguageServer } from './setup/languageServer.ts'
import { root, run } from './setup/runningService.ts'

interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

const folder = mkdtempSync(join(tmpdir(), 'tonrpc-client-'))
const consumer = join(folder, 'consumer')
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
let packed: Packed

const manifestOf = (path: string): Record<string, unknown> => JSON.parse(readFileSync(join(root, path), 'utf8'))

async function finish(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number | null; text: string }> {
  await using running = run(command, args, { cwd })
  const { code } = await running.ended
  return { code, text: `${running.stdout()}${running.stderr()}` }
}

beforeAll(async () => {
  // Built before all tests: the step that builds would take the files from under the others.
  const words = ['pack', './client', '--ignore-scripts', '--json', '--pack-destination', folder]
  await using pack = run('npm', words, { cwd: root })
  const { code } = await pack.ended
  if (code !== 0) throw new Error(pack.stderr())
  const [first]: Packed[] = JSON.parse(pack.stdout())
  if (!first) throw new Error('npm packed nothing')
  packed = first
  mkdirSync(join(consumer, 'node_modules'), { recursive: true })
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const installed = await finish(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)],
    consumer,
  )
  if (installed.code !== 0) throw new Error(installed.text)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the tarball', () => {
  test('is below 300 kB unpacked, its declarations below 200 kB', () => {
    const declarations = packed.files.find(({ path }) => path === '.build/index.d.ts')?.size ?? 0
    process.stdout.write(`${packed.filename}: ${packed.unpackedSize} bytes unpacked, declarations ${declarations}\n`)
    expect(packed.unpackedSize).toBeLessThan(300_000)
    expect(declarations).toBeGreaterThan(50_000)
    expect(declarations).toBeLessThan(200_000)
  })

  test('holds one script and one flat declaration file for each entry', () => {
    const names = packed.files.map(({ path }) => path.replace(/shared-\w+\.js$/, 'shared.js'))
    expect([...new Set(names)].sort()).toEqual(
      [
        'LICENSE',
        'README.md',
        'package.json',
        ...['index', 'shared', 'ton', 'ws'].flatMap((name) => declared(name)),
      ].sort(),
    )
  })

  test('brings nothing along', () => {
    expect(readdirSync(join(consumer, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'tonrpc-client',
    ])
    expect(manifestOf('client/package.json').dependencies).toBeUndefined()
  })

  test('has the licence of the whole', () => {
    const [own, whole] = ['client/LICENSE', 'LICENSE'].map((path) => readFileSync(join(root, path), 'utf8'))
    expect(own).toBe(whole)
  })

  test('has the version of the whole', () => {
    expect(manifestOf('client/package.json').version).toBe(manifestOf('package.json').version)
  })
})

test.each(['package.json', 'client/package.json'])(
  'bundlers that do not read exports, as Parcel by default, find the same files by the map of %s',
  (path) => {
    const { exports, browser, main }: { exports: object; browser?: object; main?: string } = JSON.parse(
      readFileSync(join(root, path), 'utf8'),
    )
    // No page starts a service.
    const scripts = Object.entries(exports).flatMap(([name, target]) =>
      target.default && name !== './testing' ? [[name, target.default]] : [],
    )
    expect(scripts.length).toBe(3)
    expect({ ...(main && { '.': main }), ...browser }).toEqual(Object.fromEntries(scripts))
  },
)

const declared = (name: string): string[] =>
  name === 'shared' ? ['.build/shared.js'] : [`.build/${name}.js`, `.build/${name}.d.ts`]

const SHAPES = [
  'Block',
  'Transaction',
  'Message',
  'Trace',
  'Action',
  'ActionKind',
  'ActionDetails',
  'UnlistedActionType',
  'JettonMaster',
  'JettonWallet',
  'NFTItem',
  'TokenInfo',
]

/** Assignments both ways: an error of the compiler names the method or shape that differs. */
function likeText(sources: string): string {
  const ways = [...Object.keys(registry).flatMap((name) => [`Api['${name}']['params']`, `Api['${name}']['result']`])]
  const lines = [...ways, ...SHAPES].map(
    (type, i) =>
      `declare const c${i}: sources.${type}, d${i}: flat.${type}\nexport const a${i}: flat.${type} = c${i}\nexport const b${i}: sources.${type} = d${i}\n`,
  )
  return `import type * as flat from 'tonrpc-client'\nimport type * as sources from '${sources}'\n${lines.join('')}`
}

test('its flat types are those of the registry, method by method, and name the same shapes', async () => {
  writeFileSync(join(consumer, 'like.ts'), likeText(join(root, 'client/index.ts')))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2023',
    types: [],
    module: 'nodenext',
    lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'],
    allowImportingTsExtensions: true,
  }
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['like.ts'] }))
  expect(await finish(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], consumer)).toEqual({ code: 0, text: '' })
})

const CONSUMER = `import { createClient, formatTon, queryOptions, type Transaction } from 'tonrpc-client'
import { webSocketTransport } from 'tonrpc-client/ws'

const client = createClient({ transport: webSocketTransport({ url: location.origin }) })
const { transactions } = await client.v3.transactions({ account: [''], limit: 3 })
const newest: Transaction | undefined = transactions[0]
for await (const wallet of client.v3.jetton.wallets.each({ owner_address: [''] })) console.log(formatTon(wallet.balance))
const { data } = { data: await queryOptions(client.getAddressBalance, { address: '' }).queryFn() }
export const all: [bigint, number | undefined] = [BigInt(data), newest?.now]
const { actions } = await client.v3.actions({ include_accounts: true, action_type: ['jetton_transfer'] })
for (const action of actions) {
  if (action.type === 'jetton_transfer') console.log(action.details.sender_jetton_wallet, action.finality)
  // @ts-expect-error: details of which type?
  console.log(action.details.amount)
  // @ts-expect-error: no such type
  if (action.type === 'jetton_tranfser') console.log()
  const { type }: { type: string } = action
  if (type === 'a_type_of_next_year') console.log(action.success)
}
export const sent = await client.v3.transactionsByMessage({ msg_hash: [''], direction: 'in' })
export const { traces } = await client.v3.pendingTraces({ ext_msg_hash: [''] })
export const shards = traces[0]?.trace_info.pending_messages
`

test.each(['bundler', 'nodenext'])('compiles strictly with moduleResolution %s', async (moduleResolution) => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'ES2022',
    types: [],
    moduleResolution,
    module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
    lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'],
  }
  writeFileSync(join(consumer, 'call.ts'), CONSUMER)
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['call.ts'] }))
  expect(await finish(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], consumer)).toEqual({ code: 0, text: '' })
})

test('a language server shows the words of methods, parameters and fields on hover', async () => {
  writeFileSync(join(consumer, 'call.ts'), CONSUMER)
  const compilerOptions = { strict: true, module: 'nodenext', target: 'ES2022', lib: ['ES2023', 'DOM'], types: [] }
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['call.ts'] }))
  await using server = await startLanguageServer(tsc, consumer)
  const hover = await server.open('call.ts', CONSUMER)
  const says = async (name: keyof typeof registry, words: string): Promise<void> => {
    const { summary, description = 'none' }: MethodSpec = registry[name]
    expect(await hover(words), words).toContain(JSON.stringify(summary).slice(1, -1))
    expect(await hover(words), words).toContain(JSON.stringify(description).slice(1, -1))
  }
  await says('v3.transactions', 'transactions({')
  await says('v3.jetton.wallets', 'wallets.each')
  await says('v3.actions', 'actions({ include')
  await says('v3.transactionsByMessage', 'transactionsByMessage(')
  await says('v3.pendingTraces', 'pendingTraces({')
  expect(await hover('pendingTraces({')).toContain('Costs 2.')
  // Parameters, those of shared interfaces among them.
  expect(await hover('limit: 3')).toMatch(/Maximum rows, 1 to 1000.*Default: `10`/)
  expect(await hover('include_accounts: true')).toContain('Include the accounts of each action.')
  expect(await hover('owner_address: [')).toContain('Only wallets of these owners.')
  expect(await hover('msg_hash: [')).toContain('Messages by hash or normalized hash.')
  // Fields of results, of the details of a narrowed action too.
  expect(await hover('now]')).toContain('Unix seconds')
  expect(await hover('sender_jetton_wallet,')).toContain('Jetton wallet of the sender')
  expect(await hover('finality)')).toContain('How certain it is')
  expect(await hover('pending_messages')).toContain('Messages not received yet.')
})
