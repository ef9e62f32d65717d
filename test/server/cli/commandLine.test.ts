// Starts that go wrong, as a person at a terminal meets them.

import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dataProblem } from '../../../server/app/data/dataFolder.ts'
import { Settings } from '../../../server/app/settings/settings.ts'
import { makeBackup, restoreBackup } from '../../../server/backup/index.ts'
import { nearest } from '../../../server/cli/nearestWord.ts'
import { banner } from '../../../server/cli/start/banner.ts'
import { mainFile } from '../../setup/runningService.ts'

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, words, (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }))
  })

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('an old version of Node gets a sentence with the version that is needed', async () => {
  const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.19.0"})'
  const { code, out, err } = await run('--import', old, mainFile, '--help')
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: 'tonrpc: Node 18.19.0 is too old: install version 20.19 or a newer one\n',
  })
})

test('a start in a folder that has been removed gets a sentence', async () => {
  const words = ['mkdir gone', 'cd gone', 'rmdir ../gone', '"$0" "$1" --seed none --data "$2"'].join(' && ')
  const cwd = await someFolder()
  const ended = spawnSync('sh', ['-c', words, process.execPath, mainFile, join(cwd, 'data')], { cwd, encoding: 'utf8' })
  expect([ended.status, ended.stdout, ended.stderr]).toEqual([
    1,
    '',
    'tonrpc: the folder in which this was started has been removed: change to another one, and start it again\n',
  ])
})

const NODE = Number.parseInt(process.versions.node, 10)
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

test('a Node that may not compile code gets a sentence with the option to leave out', async () => {
  const { code, out, err } = await run('--disallow-code-generation-from-strings', mainFile, 'keys', 'list')
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: 'tonrpc: Node may not compile code here: start it without --disallow-code-generation-from-strings (see NODE_OPTIONS)\n',
  })
})

test.each([
  [
    '--jitless',
    /^(?:Warning: .*\n)?tonrpc: Node has no WebAssembly here, .*: start it without --jitless \(see NODE_OPTIONS\)\n$/,
  ],
  [PERMISSION, /^(?:.*\n)*tonrpc: Node's permission model forbids .*: start it without --permission/],
])('a Node started with %s gets a sentence with the option to leave out', async (option, sentence) => {
  const readAll = option === '--jitless' ? [] : ['--allow-fs-read=*']
  const { code, out, err } = await run(option, ...readAll, mainFile, 'keys', 'list')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(sentence)
})

test.runIf(process.platform === 'linux' && NODE < 24)(
  'a process with few addresses gets a sentence with the limit to raise',
  async () => {
    const limited = ['-c', 'ulimit -v 5000000; exec "$0" "$@"', process.execPath, mainFile, 'keys', 'list']
    const { status, stdout, stderr } = spawnSync('sh', limited, { encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^tonrpc: this process may not reserve enough addresses .*ulimit -v unlimited\n$/)
  },
)

test('keys are found by the config file of the service', async () => {
  const data = await someFolder()
  const folder = await someFolder()
  const file = join(folder, 'settings.json')
  await writeFile(file, JSON.stringify({ data, network: 'testnet' }))
  const { code } = await run(mainFile, 'keys', 'create', '--plan', 'free', '--label', 'mine', '--config', file)
  expect(code).toBe(0)
  const { out } = await run(mainFile, 'keys', 'list', `--config=${file}`)
  expect(out).toMatch(/mine/)
  expect(out).toMatch(/testnet/)
})

describe('a data folder', () => {
  test('is made with those above it', async () => {
    const folder = await someFolder()
    expect(dataProblem(join(folder, 'a', 'b'))).toBeNull()
    expect(dataProblem(join(folder, 'a', 'b'))).toBeNull()
  })

  test('that is a file, or lies in one, is refused', async () => {
    const file = join(await someFolder(), 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'below')]) expect(dataProblem(path)).toMatch(/file is a file: name a folder/)
  })

  test('that is a backup is refused, and can be restored afterwards', async () => {
    const top = await someFolder()
    const from = join(top, 'data')
    const to = join(top, 'copy')
    expect(dataProblem(from)).toBeNull()
    await writeFile(join(from, 'keys.json'), '[]')
    const copied = { folder: from, facts: { program: '1', network: 'devnet' } }
    const parts = (draft: string) => ({ ...copied, parts: [{ name: 'all', from, to: draft }] })
    await makeBackup(parts, { to, signal: new AbortController().signal, onProgress: () => undefined })
    expect(dataProblem(to)).toMatch(
      /copy is a backup, .*: tonrpc restore .*copy --data FOLDER makes a data folder of it/,
    )
    await restoreBackup(to, join(top, 'restored'))
    expect(dataProblem(join(top, 'restored'))).toBeNull()
  })

  test.each(['{"name":"a page","start_url":"/"}', '[]', '', '{"sum":""'])(
    'in which another program has a manifest.json is no backup: %j',
    async (text) => {
      const folder = await someFolder()
      await writeFile(join(folder, 'manifest.json'), text)
      expect(dataProblem(folder)).toBeNull()
    },
  )

  test.runIf(process.platform !== 'win32').each(['keys', 'keys-usage', 'keys-used', 'names'])(
    'whose %s cannot be read are refused, by the name of their file',
    async (name) => {
      const folder = await someFolder()
      // A way that root cannot read either.
      await symlink(`${name}.json`, join(folder, `${name}.json`))
      expect(dataProblem(folder)).toMatch(
        new RegExp(`/${name}\\.json cannot be read: links lead in a circle; .*--data$`),
      )
    },
  )

  test.runIf(process.platform === 'linux')('where none can be made is refused, in a sentence', () => {
    expect(dataProblem('/proc/a/b')).toMatch(/^\/proc\/a\/b cannot be used for the data: .*--data$/)
  })
})

test.each([
  ['prt', 'port'],
  ['logLevel', 'log-level'],
  ['mininng', 'mining'],
  ['bogus', null],
  ['x'.repeat(1_000_000), null],
])('of %.20s is suggested %s', (word, meant) => {
  expect(nearest(word, ['port', 'log-level', 'mining', 'data'])).toBe(meant)
})

describe('the banner', () => {
  const shown = (
    trouble: { chain: string | null; index: string | null },
    config = {},
    lite: Parameters<typeof banner>[0]['lite'] = null,
    memoryMb = 2000,
    clockLead = 0,
  ) =>
    banner({
      config: Settings.parse(config),
      url: 'http://127.0.0.1:8081',
      version: '1.2.3',
      seconds: 0.5,
      keysCommand: 'tonrpc keys',
      doctorCommand: 'tonrpc doctor',
      accounts: [],
      playsDemo: false,
      forkedAt: null,
      clockLead,
      trouble,
      lite,
      memoryMb,
    })

  test('says ready when nothing stands in the way', () => {
    expect(shown({ chain: null, index: null })).toMatch(/serves devnet, ready in 0\.50 s/)
  })

  test('says where clients of lite servers find it, when there are to be any', () => {
    const ready = { chain: null, index: null }
    expect(shown(ready)).not.toMatch(/lite server/)
    const lite = { address: '127.0.0.1:40001', key: 'a2V5', config: '{}', configPath: '/data/global.config.json' }
    const text = shown(ready, {}, lite)
    expect(text).toMatch(/lite server +127\.0\.0\.1:40001 {2}key a2V5/)
    expect(text).toMatch(/its config +http:\/\/127\.0\.0\.1:8081\/global\.config\.json {2}\/data\/global\.config\.json/)
  })

  test("says that the chain's clock is not the computer's, by which wallets sign", () => {
    const text = (lead: number) => shown({ chain: null, index: null }, {}, null, 2000, lead)
    expect(text(172_800)).toMatch(/clock +The chain's clock is 2 d ahead of this computer\. .*expired.*dev\.revert/)
    expect(text(2)).not.toContain('clock')
  })

  test('says what heaps are sized for, and by whom', () => {
    const ready = { chain: null, index: null }
    expect(shown(ready)).toMatch(/memory +heaps sized for 2000 MB, what this machine or its container has/)
    expect(shown(ready, { memory: 2000 })).toMatch(/memory +heaps sized for 2000 MB, as --memory says/)
  })

  test('says where there is too little memory for a chain and its database', () => {
    const memoryOf = (mb: number, config = {}) =>
      /memory +(.*)/.exec(shown({ chain: null, index: null }, config, null, mb))?.[1]
    expect(memoryOf(511)).toBe('TOO LITTLE: with 511 MB the system may end it under load. Give it 512 MB or more')
    expect(memoryOf(512)).toMatch(/^heaps sized for 512 MB/)
    expect(memoryOf(256, { database: 'postgres://db/name' })).toMatch(/^heaps sized for 256 MB/)
    // Heaps of that size, on a machine that may have more.
    expect(memoryOf(256, { memory: 256 })).toMatch(/^heaps sized for 256 MB/)
  })

  test('of a process that only writes the index names no address that answers nothing', () => {
    const text = shown({ chain: null, index: null }, { role: 'index' })
    expect(text).toMatch(/callers +are not answered here/)
    for (const row of ['start page', 'JSON-RPC', 'v2  ', 'v3  ', 'rate limits', 'serves'])
      expect(text).not.toContain(row)
    expect(text).toMatch(/ writes the index of devnet, ready in /)
    const away = shown({ chain: null, index: 'connect ECONNREFUSED' }, { role: 'index' })
    expect(away).toMatch(/is NOT READY to index devnet: connect ECONNREFUSED/)
    expect(away).not.toContain('v3 answers')
    expect(text).toMatch(/health +http:\S+\/healthz/)
  })

  test('says how to examine lite servers none of which answers', () => {
    const config = { network: 'testnet', liteservers: 'my list.json' }
    expect(shown({ chain: 'no server is connected', index: null }, config)).toMatch(
      /examine them +tonrpc doctor --network testnet --liteservers "my list\.json"\n/,
    )
    expect(shown({ chain: null, index: null }, config)).not.toContain('doctor')
    expect(shown({ chain: 'it is being read', index: null })).not.toContain('doctor')
  })

  test('never says ready without a chain or an index, but what is wrong', () => {
    const withoutChain = shown({ chain: 'no server is connected', index: null }, { network: 'testnet' })
    expect(withoutChain).toMatch(/NOT READY to serve testnet: no server is connected/)
    const withoutIndex = shown({ chain: null, index: 'connect ECONNREFUSED' })
    expect(withoutIndex).toMatch(/index +\S+: NOT READY, v3 answers 503: connect ECONNREFUSED/)
    for (const text of [withoutChain, withoutIndex]) expect(text).not.toMatch(/, ready in/)
  })
})
