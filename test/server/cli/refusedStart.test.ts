// A start that is refused when parts of the service run already: the process says why, and ends.

import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEmbeddedChain, type DevchainOptions, openDevchain } from '../../../server/devchain/index.ts'
import type { Chain } from '../../../server/node/index.ts'
import { hasRedis, ownRedis } from '../../setup/ownRedis.ts'
import { mainFile, type RunOptions, run } from '../../setup/runningService.ts'

/** How it ends, and what it says to the end. */
async function refused(
  args: readonly string[],
  options: RunOptions & { readonly keys?: string; readonly chain?: DevchainOptions } = {},
) {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-refused-'))
  try {
    if (options.keys !== undefined) await writeFile(join(data, 'keys.json'), options.keys)
    const { chain } = options
    if (chain !== undefined) await (await openDevchain({ ...chain, folder: join(data, 'chain') })).close()
    const own = ['--port', '0', '--seed', 'none', '--data', data]
    await using start = run(process.execPath, [mainFile, ...own, ...args], options)
    const { code } = await start.ended
    return { code, said: start.stderr() }
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 20 })
  }
}

test.runIf(hasRedis)('with a Redis', async () => {
  await using redis = await ownRedis()
  const { code, said } = await refused(['--redis', `redis://127.0.0.1:${redis.port}`, '--explorer-plugin', '/none.js'])
  expect([code, said]).toEqual([1, 'tonrpc: --explorer-plugin: /none.js cannot be read: ENOENT\n'])
})

// Elsewhere the socket of workers is no file.
test.runIf(process.platform !== 'win32')('with workers, where no socket can be made for them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-file-'))
  const file = join(folder, 'file')
  await writeFile(file, '')
  const { code, said } = await refused(['--workers', '2'], { env: { TMPDIR: file } })
  await rm(folder, { recursive: true, force: true })
  expect(code).toBe(1)
  expect(said).toMatch(/--workers: no socket can be made at .*: name a folder for temporary files with TMPDIR\n$/)
})

test.runIf(process.platform !== 'win32')('with workers, where the path of their socket would be cut off', async () => {
  const outer = await mkdtemp(join(tmpdir(), 'tonrpc-long-'))
  const folder = join(outer, 'x'.repeat(100))
  await mkdir(folder)
  const { code, said } = await refused(['--workers', '2'], { env: { TMPDIR: folder } })
  const left = await readdir(outer)
  await rm(outer, { recursive: true, force: true })
  expect([code, left]).toEqual([1, ['x'.repeat(100)]])
  expect(said).toMatch(
    /--workers: no socket .* \(longer than 103 bytes\): name a folder for temporary files with TMPDIR\n$/,
  )
})

const JSON_LINE = { level: 'fatal', msg: 'start refused', time: expect.stringMatching(/Z$/) }

test.each([
  [
    'its settings',
    ['--explorer-plugin', '/none.js', '--log-format', 'json'],
    {},
    1,
    /^--explorer-plugin: \/none.js cannot be read/,
  ],
  ['its command line', ['--prot', '1', '--log-format=json'], {}, 2, /^unknown flag --prot/],
  ['its environment', [], { TONRPC_BLOCKS: '1', TONRPC_LOG_FORMAT: 'json' }, 2, /^unknown setting TONRPC_BLOCKS/],
])('with a log of JSON lines: one for what is wrong with %s', async (_, args, env, expected, reason) => {
  const { code, said } = await refused(args, { env })
  expect([code, JSON.parse(said)]).toEqual([expected, { ...JSON_LINE, reason: expect.stringMatching(reason) }])
})

test('with a damaged key file, which no caller with a key would be let in by', async () => {
  const { code, said } = await refused([], { keys: '{"version":1,"keys":[' })
  expect(code).toBe(1)
  expect(said).toMatch(
    /^tonrpc: The key file .*keys\.json is damaged \(it is not JSON\)\. It was not changed: repair it/,
  )
})

test('with a replica of the embedded database', async () => {
  const { code, said } = await refused(['--database-read', 'postgres://replica.example/name'])
  const sentence =
    '--database-read names a replica of a PostgreSQL: name that one too, with --database or --database-file, or leave the replica out'
  expect([code, said]).toEqual([1, `tonrpc: ${sentence}\n`])
})

test.each([
  ['whose folder does not exist', '/none/requests.log', /ENOENT.*; name one in a folder that exists\n$/],
  ['that is a folder', tmpdir(), /EISDIR.*; name another one\n$/],
])('with a request log %s', async (_, file, end) => {
  const { code, said } = await refused(['--request-log', file])
  expect([code, said]).toEqual([1, expect.stringMatching(/^tonrpc: --request-log: the file \/.* cannot be opened \(/)])
  expect(said).toMatch(end)
})

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'with a request log where nothing may be written',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tonrpc-refused-'))
    await chmod(folder, 0o500)
    const { code, said } = await refused(['--request-log', join(folder, 'requests.log')])
    await rm(folder, { recursive: true, force: true })
    const end =
      /requests\.log cannot be opened \(this user may not write or read there\); let the user of the service write there, or name another one\n$/
    expect([code, said]).toEqual([1, expect.stringMatching(end)])
  },
)

test('with a fork whose lite servers are not named', async () => {
  const { code, said } = await refused(['--fork-from', 'mainnet'])
  expect([code, said]).toEqual([1, expect.stringMatching(/^tonrpc: --fork-from mainnet needs .*: add --liteservers /)])
})

// Elsewhere no limit can be set by a shell.
test.runIf(process.platform === 'linux')('where too few files may be open for the embedded index', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-refused-'))
  const limited = 'ulimit -n 128; exec "$0" "$@"'
  const args = ['-c', limited, process.execPath, mainFile, '--port', '0', '--seed', 'none', '--data', data]
  await using start = run('sh', args)
  const { code } = await Promise.race([start.ended, start.says(/start page/).then(() => ({ code: null }))])
  await start[Symbol.asyncDispose]()
  await rm(data, { recursive: true, force: true, maxRetries: 20 })
  const sentence = 'this process may not open enough files: raise the limit, for instance with ulimit -n 1024'
  expect([code, start.stderr()]).toEqual([1, `tonrpc: ${sentence}\n`])
})

/** A module that Node loads before the program, with an alteration of one that the start needs. */
const PINO_WITHOUT_TIMES = `data:text/javascript,import { createRequire } from 'node:module';
const pino = createRequire(${JSON.stringify(mainFile)})('pino'); pino.stdTimeFunctions = undefined`

test('with a part that fails before there is a log: the database of its index, which is opened meanwhile, does not keep it', async () => {
  const { code, said } = await refused([], {
    env: { NODE_OPTIONS: `--import "${PINO_WITHOUT_TIMES.replaceAll('"', "'")}"` },
  })
  expect(code).toBe(1)
  expect(said).toMatch(/^TypeError: .*isoTime/)
})

/** A network of a process that ends at once, and of which a start that is refused reads nothing. */
const FORK = ['--fork-from', 'custom', '--liteservers', 'http://127.0.0.1:1/none.json']

async function network(): Promise<Chain> {
  return createEmbeddedChain(await openDevchain({}))
}

test.each([
  ['another network id', { globalId: 5 }, [], '--global-id 5'],
  ['another network id, where a fork was meant', { globalId: 5 }, FORK, '--global-id 5 and without --fork-from'],
  ['a fork', { fork: { chain: network, seqno: null } }, [], '--fork-from and --liteservers'],
])('with the chain of %s', async (_, chain, args, begun) => {
  const { code, said } = await refused(args, { chain })
  expect(code).toBe(1)
  expect(said.replace(/ in \S+ /, ' in FOLDER ')).toBe(
    `tonrpc: the chain in FOLDER was begun with ${begun}: start it like that, choose another data folder, or begin a new chain with --reset\n`,
  )
})
