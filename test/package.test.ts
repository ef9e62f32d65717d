// The package as a stranger gets it: packed, installed into an empty folder, started, called and compiled against.
// It holds what runs and the client's types: no sources, no tests, no source maps (they would point at the sources).

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { type Running, root, run } from './setup/runningService.ts'
import { type Import, importsOf, readSources } from './setup/sources.ts'

interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** Besides the command: what pages load, and what is made once by the build. */
const OF_THE_SERVER = [
  '.build/explorer/files.json',
  '.build/explorer/licences.txt',
  '.build/reference/reference.js',
  '.build/server/demo/contracts/compiled.json',
  '.build/server/devchain/contracts/compiled.json',
  '.build/server/store/pglite/image.br',
  'server/docs/pictures/trace.png',
]

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'tonrpc-package-'))
const consumer = join(folder, 'consumer')
let packed: Packed
let paths: readonly string[] = []

/** What a file of the package imports. Scripts are written without white space: it is put back first. */
async function importsIn(path: string): Promise<Import[]> {
  const text = readFileSync(join(root, path), 'utf8')
  return importsOf(path, path.endsWith('.js') ? (await transform(text)).code : text)
}

async function finish(running: Running): Promise<{ code: number | null; text: string }> {
  await using command = running
  const { code } = await command.ended
  return { code, text: `${command.stdout()}${command.stderr()}` }
}

beforeAll(async () => {
  // What is packed is what the tests have built: `prepack` would take it from under the others.
  await using pack = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: root })
  const { code } = await pack.ended
  if (code !== 0) throw new Error(pack.stderr())
  const [first]: Packed[] = JSON.parse(pack.stdout())
  if (!first) throw new Error('npm packed nothing')
  packed = first
  paths = packed.files.map(({ path }) => path).sort()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the tarball', () => {
  test('is small', () => {
    const kB = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
    process.stdout.write(`${packed.filename}: ${kB(packed.size)} packed, ${kB(packed.unpackedSize)} unpacked\n`)
    // A third of it is the empty database, a twentieth the explorer.
    expect(packed.size).toBeLessThan(2_000_000)
  })

  test('holds what runs, the client with its types, and nothing else', () => {
    const kinds =
      /^(package\.json|README\.md|LICENSE|\.build\/bin\/[\w-]+\.js|\.build\/testing\/(testing\.(c?js|d\.ts)|endWithParent\.js)|\.build\/explorer\/[\w.-]+-\w{8}\.(js|css)|server\/docs\/guides\/[\w-]+\.md|client\/\.build\/[\w-]+(\.js|\.d\.ts))$/
    const others = paths.filter((path) => !kinds.test(path) || path.endsWith('.d.ts.js'))
    expect(others).toEqual(OF_THE_SERVER)
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
  })

  test('holds the licence of each package whose code is in the explorer', () => {
    const text = readFileSync(join(root, '.build/explorer/licences.txt'), 'utf8')
    const names = [...text.matchAll(/^([@\w/-]+)\n\n(?:The )?MIT License/gm)].map(([, name = '']) => name)
    expect(names).toEqual(['@preact/signals', '@preact/signals-core', 'preact'])
    expect(text.match(/^Copyright \(c\) /gm)).toHaveLength(names.length)
    expect(text.match(/^The above copyright notice and this permission notice shall be included/gm)).toHaveLength(
      names.length,
    )
  })

  test('holds the command in few files, all of which it loads', async () => {
    const files = paths.filter((path) => path.startsWith('.build/bin/'))
    // A start reads half of them: each command has parts of its own.
    expect(files.length).toBeLessThan(50)
    const begun = readSources(root, 'server').flatMap(({ text }) =>
      [...text.matchAll(/(?:worker|process)Entry\(import\.meta\.url, '(\w+)'\)/g)].map(([, name]) => name),
    )
    expect(begun).toContain('airdropThread')
    const loaded = new Set(['main', ...begun].map((name) => `.build/bin/${name}.js`))
    for (const path of loaded) {
      for (const { file } of await importsIn(path)) if (file !== null) loaded.add(file)
    }
    expect([...loaded].sort()).toEqual(files)
  })

  test('needs its dependencies, all of them and no others', async () => {
    // Not imported: the emulator's binary is found by path, and brings two peers.
    const needed = new Set(['@ton/sandbox', '@ton/core', '@ton/crypto'])
    const need = (from: string) => {
      const name = /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? ''
      if (!from.startsWith('node:') && name !== manifest.name) needed.add(name)
    }
    for (const path of paths.filter((name) => /\.(js|d\.ts)$/.test(name))) {
      for (const { from, file, isPlain } of await importsIn(path)) if (isPlain && file === null) need(from)
      const text = readFileSync(join(root, path), 'utf8')
      for (const [, from = ''] of text.matchAll(/\bcreateRequire\d*\(import\.meta\.url\)\("([^"]+)"\)/g)) need(from)
    }
    expect([...needed].sort()).toEqual(Object.keys(manifest.dependencies).sort())
  })

  test('does not point outside', () => {
    const text = (path: string) => readFileSync(join(root, path), 'utf8')
    const mapped = paths.filter((path) => path.endsWith('.js') && /^\/\/# sourceMappingURL/m.test(text(path)))
    expect(mapped).toEqual([])
    const lost = paths
      .filter((path) => /\.(js|d\.ts)$/.test(path))
      .flatMap((path) => importsOf(path, text(path)).map(({ file }) => file))
      .filter((file) => file !== null && !paths.includes(file) && !paths.includes(file.replace(/ts$/, 'd.ts')))
    expect(lost).toEqual([])
  })

  test('has a complete package.json', () => {
    for (const field of [
      'name',
      'version',
      'description',
      'license',
      'keywords',
      'engines',
      'bin',
      'exports',
      'files',
    ]) {
      expect(manifest[field], field).toBeTruthy()
    }
    expect(manifest.sideEffects).toBe(false)
    const targets = JSON.stringify([manifest.bin, manifest.exports]).match(/(client\/)?\.build\/[^"]+/g) ?? []
    expect(targets.length).toBeGreaterThanOrEqual(5)
    expect(targets.filter((path) => !paths.includes(path))).toEqual([])
    expect(readFileSync(join(root, '.build/bin/main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })
})

const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|network/i

let installed = false
let unreachable = ''

/** Ends a test where the registry cannot be reached: it counts as not run. */
function requireInstalled(context: TestContext): void {
  if (!installed) context.skip(`no package registry within reach: ${unreachable}`)
}

describe('installed into an empty folder', () => {
  beforeAll(async () => {
    mkdirSync(consumer)
    writeFileSync(join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
    const words = ['install', join(folder, packed.filename), '--no-audit', '--no-fund', '--prefer-offline']
    const { code, text } = await finish(run('npm', words, { cwd: consumer }))
    installed = code === 0
    if (installed) return linkTypes()
    if (process.env.REQUIRE_NETWORK === '1' || !NO_NETWORK.test(text)) throw new Error(text)
    unreachable = /npm error .*/.exec(text)?.[0] ?? ''
    process.stderr.write(`no package registry within reach, so the package is not installed here: ${unreachable}\n`)
  })

  test('brings its dependencies and no development tools', (context) => {
    requireInstalled(context)
    const modules = readdirSync(join(consumer, 'node_modules')).filter((name) => name !== '@types')
    expect(modules).toEqual(expect.arrayContaining(['tonrpc', 'koa', 'ws', 'zod']))
    expect(modules.filter((name) => /^(typescript|vitest|esbuild|@biomejs)$/.test(name))).toEqual([])
  })

  test('the command is executable and says its version', async (context) => {
    requireInstalled(context)
    if (process.platform !== 'win32') {
      expect(statSync(join(consumer, 'node_modules/.bin/tonrpc')).mode & 0o111).toBe(0o111)
    }
    await using version = run('npx', ['tonrpc', '--version'], { cwd: consumer })
    expect(await version.ended).toEqual({ code: 0, signal: null })
    expect(version.stdout()).toBe(`${String(manifest.version)}\n`)
  })

  test('npx tonrpc serves, its client calls it, and it stops with npx', async (context) => {
    requireInstalled(context)
    await using service = run('npx', ['tonrpc', '--port', '0'], { cwd: consumer })
    const [, url = ''] = await service.says(/start page +(http\S+)\/\n/)
    await service.says(/new API key +npx tonrpc keys create --plan free\n/)
    writeFileSync(join(consumer, 'call.js'), CALLS)
    const called = await finish(run(process.execPath, ['call.js', url], { cwd: consumer }))
    expect(called).toEqual({ code: 0, text: `false\n${BOUNCEABLE}\n${BOUNCEABLE}\nmethodNotFound\n` })
    expect(await (await fetch(`${url}/docs/contracts`)).text()).toContain('<h1 id="contracts-on-the-local-chain">')
    service.child.kill('SIGTERM')
    await service.ended
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  test('only what is meant to be imported can be', async (context) => {
    requireInstalled(context)
    const names = ['tonrpc', 'tonrpc/server', 'tonrpc/.build/server/app/startService.js', 'tonrpc/shared/registry']
    const script = `for (const name of ${JSON.stringify(names)}) await import(name).catch((error) => console.log(error.code))`
    const { text } = await finish(run(process.execPath, ['--input-type=module', '-e', script], { cwd: consumer }))
    expect(text.trim().split('\n')).toEqual(names.map(() => 'ERR_PACKAGE_PATH_NOT_EXPORTED'))
  })

  describe.each(['bundler', 'nodenext'])('TypeScript, strict, moduleResolution %s', (moduleResolution) => {
    // Wrappers in one of both is enough: their types come from @ton/core.
    test.for(moduleResolution === 'nodenext' ? ['page', 'node', 'ton'] : ['page', 'node'])(
      'for a %s',
      async (place, context) => {
        requireInstalled(context)
        expect(await compile(place, moduleResolution)).toEqual({ code: 0, text: '' })
      },
    )

    test('a mistake is seen', async (context) => {
      requireInstalled(context)
      const { code, text } = await compile('mistake', moduleResolution)
      expect(code).not.toBe(0)
      expect(text).toMatch(/mistake\.ts\(3,\d+\): error TS2322/)
      expect(text).toMatch(/mistake\.ts\(4,\d+\): error TS2551/)
    })
  })
})

const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const BOUNCEABLE = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

const CALLS = `
import { createClient, isRpcError } from 'tonrpc/client'
import { webSocketTransport } from 'tonrpc/client/ws'
import { createTon } from 'tonrpc/client/ton'
import { Address } from '@ton/core'
import { WebSocket } from 'ws'

const url = process.argv[2]
const http = createClient({ url })
console.log(await createTon(http).isContractDeployed(Address.parse('${RAW}')))
console.log(await http.packAddress({ address: '${RAW}' }))
const transport = webSocketTransport({ url, WebSocket })
const socket = createClient({ transport })
console.log(await socket.packAddress({ address: '${RAW}' }))
transport.close()
await http.noSuchMethod().catch((error) => console.log(isRpcError(error) && error.kind))
`

const CONSUMERS: Readonly<Record<string, string>> = {
  page: `
import { type Api, type Client, createClient, type ErrorKind, isRpcError, type RpcErrorKind } from 'tonrpc/client'
import { webSocketTransport } from 'tonrpc/client/ws'
const client: Client = createClient({ transport: webSocketTransport({ url: location.origin, WebSocket }) })
const found: Api['detectAddress']['result'] = await client.detectAddress({ address: '' })
export const raw: string = found.raw_form
export const same = (kind: ErrorKind): RpcErrorKind => kind
export const said = (error: unknown): number => (isRpcError(error) ? error.code : 0)
`,
  ton: `
import { Address, type ContractProvider } from '@ton/core'
import { createClient } from 'tonrpc/client'
import { createTon, tonConnectSender } from 'tonrpc/client/ton'
class Counter {
  readonly address = Address.parse('')
  async getCount(provider: ContractProvider): Promise<number> {
    return (await provider.get('count', [])).stack.readNumber()
  }
}
const ton = createTon(createClient({ url: location.origin }))
export const count: Promise<number> = ton.open(new Counter()).getCount()
export const { address } = tonConnectSender({ account: null, sendTransaction: async () => {} })
`,
  node: `
import { createClient } from 'tonrpc/client'
import { webSocketTransport } from 'tonrpc/client/ws'
import { startTestService, type TestService } from 'tonrpc/testing'
import { WebSocket } from 'ws'
export const seqnoOf = async ({ client }: TestService): Promise<number> => (await client.getMasterchainInfo()).last.seqno
export const seqno = seqnoOf(await startTestService({ settings: { mining: 'manual' } }))
const transport = webSocketTransport({ url: process.argv[2] ?? '', WebSocket })
const client = createClient({ transport, retry: false, batch: { max: 10 } })
export const packed: string = await client.packAddress({ address: '' }, { signal: AbortSignal.timeout(1) })
transport.close()
`,
  mistake: `
import { createClient } from 'tonrpc/client'
createClient({ url: '' }).packAddress({ address: 1 })
createClient({ url: '' }).packAdress({ address: '' })
`,
}

const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')

/** Types of Node and of ws, as a consumer would have installed them. */
function linkTypes(): void {
  const types = join(dirname(require.resolve('@types/node/package.json')), '..')
  if (installed) symlinkSync(types, join(consumer, 'node_modules/@types'), 'junction')
}

/** Compiles one consumer with the project's own compiler. */
function compile(name: string, moduleResolution: string): Promise<{ code: number | null; text: string }> {
  const config = `${name}.${moduleResolution}.json`
  const forNode = name === 'node'
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'ES2022',
    module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
    moduleResolution,
    lib: forNode ? ['ES2023'] : ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: forNode ? ['node'] : [],
  }
  writeFileSync(join(consumer, `${name}.ts`), (CONSUMERS[name] ?? '').trimStart().replace(/^/, '// A consumer.\n'))
  writeFileSync(join(consumer, config), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  return finish(run(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd: consumer }))
}
