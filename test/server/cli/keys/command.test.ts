import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFileKeyStore, hashKey } from '../../../../server/access/index.ts'
import { keysCommand } from '../../../../server/cli/keys/command.ts'
import { placeWords } from '../../../../server/cli/keys/placeWords.ts'
import { momentOf } from '../../../../server/cli/keys/table.ts'
import { explained } from '../../../../server/cli/keys/withKeys.ts'
import { temporaryFolder } from '../../access/temporaryFolder.ts'

async function setup() {
  const data = await temporaryFolder()
  const run = async (...argv: string[]) => {
    const out: string[] = []
    const err: string[] = []
    const io = {
      env: { TONRPC_DATA: data, TONRPC_NETWORK: 'testnet' },
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
    } as const
    const code = await keysCommand.run(argv, io)
    return { code, out, err }
  }
  return { data, run, store: createFileKeyStore(data) }
}

const secretIn = (lines: readonly string[]): string => lines.find((line) => line.startsWith('tonrpc_')) ?? ''

describe('create', () => {
  test('default: the key once, and that it is once', async () => {
    const { run, store } = await setup()
    const { code, out, err } = await run('create', '--plan', 'plus', '--label', 'my wallet')
    expect([code, err]).toEqual([0, []])
    const key = secretIn(out)
    expect(key).toMatch(/^tonrpc_testnet_[A-Za-z0-9_-]{43}$/)
    expect(out.join('\n').split(key)).toHaveLength(2)
    expect(out[1]).toMatch(/shown once/)
    const record = await store.find(hashKey(key))
    expect(record).toMatchObject({ plan: 'plus', label: 'my wallet', network: 'testnet', expiresAt: null })
    expect(out[2]).toContain(`Id ${record?.id}, testnet, plan plus (25/s), no end.`)
  })

  test('args: custom rate, network, end, data folder', async () => {
    const { run, data } = await setup()
    const other = join(data, 'elsewhere')
    const words = ['--data', other, 'create', '--plan=custom', '--rps=500', '--network', 'mainnet', '--expires', '30']
    const { code, out } = await run(...words)
    expect(code).toBe(0)
    const record = await createFileKeyStore(other).find(hashKey(secretIn(out)))
    expect(record).toMatchObject({ plan: 'custom', perSecond: 500, network: 'mainnet' })
    expect((record?.expiresAt ?? 0) - (record?.createdAt ?? 0)).toBeGreaterThan(30 * 86_400_000 - 60_000)
  })

  test('args: what else the key may do', async () => {
    const { run, store } = await setup()
    const { out } = await run('create', '--plan', 'free', '--monthly', '5000', '--all-accounts', 'on')
    expect(out[2]).toContain('plan free (10/s, 5000 calls a month), all accounts, no end.')
    await store.touch(hashKey(secretIn(out)), Date.UTC(2030, 0, 2, 3, 4))
    await store.close()
    expect((await run('list')).out[1]).toMatch(/free +10\/s +5000 +all +active .* never +2030-01-02 03:04Z/)
  })

  test('args: JSON', async () => {
    const { run, store } = await setup()
    const { out } = await run('create', '--plan', 'free', '--json')
    const { key, id } = JSON.parse(out.join('\n'))
    expect(await store.find(hashKey(key))).toMatchObject({ id })
    expect(out.join()).not.toContain(hashKey(key))
  })
})

describe('list', () => {
  test('default: aligned, newest last, no secret and no hash', async () => {
    const { run } = await setup()
    const short = secretIn((await run('create', '--plan', 'free', '--label', 'short')).out)
    const long = secretIn(
      (
        await run(
          'create',
          '--plan',
          'custom',
          '--rps',
          '1000000',
          '--network',
          'mainnet',
          '--all-accounts',
          'on',
          '--label',
          'long',
        )
      ).out,
    )
    const { code, out } = await run('list')
    expect(code).toBe(0)
    expect(out).toHaveLength(3)
    const columns = out.map((line) => line.search(/LABEL|short|long/))
    expect(new Set(columns).size).toBe(1)
    expect(out[1]).toMatch(/free +10\/s +- +- +active/)
    expect(out[2]).toMatch(/mainnet +custom +1000000\/s +- +all +active/)
    for (const key of [short, long]) {
      expect(out.join('\n')).not.toContain(key.slice(20, -4))
      expect(out.join('\n')).not.toContain(hashKey(key))
      expect(out.join('\n')).toContain(key.slice(-4))
    }
  })

  test('args: one network; JSON', async () => {
    const { run } = await setup()
    await run('create', '--plan', 'free')
    await run('create', '--plan', 'free', '--network', 'mainnet')
    expect((await run('list', '--network', 'mainnet')).out).toHaveLength(2)
    const keys = JSON.parse((await run('list', '--json')).out.join('\n'))
    expect(keys).toMatchObject([{ network: 'testnet', state: 'active' }, { network: 'mainnet' }])
    expect(Object.keys(keys[0])).not.toContain('hash')
  })

  test('behavior: nothing there', async () => {
    const { run, data } = await setup()
    expect((await run('list')).out).toEqual([
      `No keys yet. To issue one: tonrpc keys create --plan free --data ${data}`,
    ])
    expect((await run('list', '--network', 'mainnet')).out).toEqual([
      `No keys yet. To issue one: tonrpc keys create --plan free --data ${data} --network mainnet`,
    ])
  })

  test('behavior: a label put into the file by hand cannot move the cursor', async () => {
    const { run, data } = await setup()
    await run('create', '--plan', 'free', '--label', 'plain')
    const path = join(data, 'keys.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('"plain"', '"\\u001b[2Jgone"'))
    expect((await run('list')).out.at(-1)).toContain('?[2Jgone')
  })
})

describe('change', () => {
  test('default: a key may follow all accounts, and then not', async () => {
    const { run, store, data } = await setup()
    const key = secretIn((await run('create', '--plan', 'free')).out)
    const { id = '' } = (await store.find(hashKey(key))) ?? {}
    expect(await readFile(join(data, 'keys.json'), 'utf8')).not.toContain('allAccounts')
    const { code, out } = await run('change', id, '--all-accounts', 'on')
    expect([code, out[0]]).toEqual([0, `${id} may follow all accounts. Running servers know it within two seconds.`])
    expect((await store.list())[0]).toMatchObject({ id, allAccounts: true })
    expect((await run('change', id, '--all-accounts', 'off')).out[0]).toContain(`${id} may not follow all accounts.`)
    const off = await run('change', id, '--all-accounts', 'off', '--json')
    expect(JSON.parse(off.out.join())).toEqual({ id, allAccounts: false })
    expect((await store.list())[0]).toMatchObject({ id, allAccounts: false })
  })
})

describe('rotate', () => {
  test('default: a new secret, the old one for a day', async () => {
    const { run, store } = await setup()
    const old = secretIn((await run('create', '--plan', 'free')).out)
    const id = (await store.find(hashKey(old)))?.id ?? ''
    const { code, out } = await run('rotate', id)
    expect(code).toBe(0)
    expect(secretIn(out)).not.toBe(old)
    const [first, second] = await store.list()
    expect(out.at(-1)).toBe(`The old secret works until ${momentOf(first?.expiresAt ?? null)} at the latest.`)
    expect(second).toMatchObject({ id, hash: hashKey(secretIn(out)), expiresAt: null })
    expect((first?.expiresAt ?? 0) - (second?.createdAt ?? 0)).toBe(86_400_000)
  })

  test.each([
    ['0', 0],
    ['0s', 0],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['7d', 7 * 86_400_000],
  ])('args: --overlap %s', async (text, ms) => {
    const { run, store } = await setup()
    await run('create', '--plan', 'free')
    const id = (await store.list())[0]?.id ?? ''
    const { code, out } = await run('rotate', '--overlap', text, id)
    expect([code, out.at(-1)?.includes('no longer works')]).toEqual([0, ms === 0])
    const [first, second] = await store.list()
    expect((first?.expiresAt ?? 0) - (second?.createdAt ?? 0)).toBe(ms)
  })
})

describe('revoke', () => {
  test('default: the key is over, and stays in the list', async () => {
    const { run, store } = await setup()
    await run('create', '--plan', 'free')
    const id = (await store.list())[0]?.id ?? ''
    expect(await run('revoke', id)).toMatchObject({ code: 0, out: [expect.stringContaining(id)] })
    expect((await run('list')).out[1]).toContain('revoked')
    expect(await run('rotate', id)).toMatchObject({ code: 1, err: [expect.stringContaining('create a new one')] })
    expect((await run('revoke', id)).code).toBe(0)
  })

  test('args: JSON says how many secrets it had', async () => {
    const { run, store } = await setup()
    await run('create', '--plan', 'free')
    const id = (await store.list())[0]?.id ?? ''
    await run('rotate', id)
    expect(JSON.parse((await run('revoke', id, '--json')).out.join())).toEqual({ id, revoked: 2 })
  })

  test('error: an id that is not in use', async () => {
    const { run } = await setup()
    const { code, out, err } = await run('revoke', '__proto__')
    expect([code, out]).toEqual([1, []])
    expect(err.join(' ')).toMatch(/no key with the id "__proto__".*keys list/)
  })
})

test.each([['--help'], ['-h'], ['help'], ['create', '--help']])('help: %s %s', async (...argv) => {
  const { run } = await setup()
  const { code, out } = await run(...argv.filter((word) => word !== undefined))
  expect(code).toBe(0)
  for (const word of ['create', 'list', 'rotate', 'revoke', '--overlap', '--rps', '--data'])
    expect(out.join('\n')).toContain(word)
})

test.each([
  [[], 'create, list, rotate, change, revoke or usage'],
  [['change', 'abcdefghjk'], 'nothing to change is named: --all-accounts on, or off'],
  [['delete'], 'unexpected "delete": keys takes create, list, rotate, change, revoke or usage'],
  [['craete'], 'did you mean keys create?'],
  [['__proto__'], 'unexpected "__proto__"'],
  [['create'], '--plan free|plus|advanced|custom|name'],
  [['create', '--plan'], '--plan needs a value'],
  [['create', '--pln', 'free'], 'unknown flag --pln, did you mean --plan?'],
  [['revoke', 'a', '--network', 'devnet'], 'unknown flag --network'],
  [['create', '--plan', 'gold'], 'There is no plan "gold": plans are free, plus, advanced, custom'],
  [['create', '--plan', 'free', '--rps', '5'], '--plan custom --rps 5'],
  [['create', '--plan', 'custom'], '--rps'],
  [['create', '--plan', 'custom', '--rps', '0'], '1 to 1000000'],
  [['create', '--plan', 'custom', '--rps', '1e3'], '1 to 1000000'],
  [['create', '--plan', 'custom', '--rps', '1000001'], '1 to 1000000'],
  [['create', '--plan', 'free', '--expires', '0'], '--expires'],
  [['create', '--plan', 'free', '--expires', 'tomorrow'], '--expires'],
  [['create', '--plan', 'free', '--network', 'moonnet'], 'takes devnet, testnet, mainnet or custom, not "moonnet"'],
  [['create', '--plan', 'free', '--label', 'a\u001b[2J'], 'label'],
  [['create', '--plan', 'free', '--label', 'my', 'wallet'], 'quotes'],
  [['create', '--plan', 'free', '--wings'], 'unknown flag --wings'],
  [['create', '--plan', 'free', '--overlap', '1h'], 'unknown flag --overlap: --help lists them all'],
  [['list', 'all'], 'unexpected "all"'],
  [['rotate'], 'keys list'],
  [['revoke'], 'keys list'],
  [['revoke', 'tonrpc_testnet_secret'], 'not its id'],
  [['rotate', 'a', '--overlap', '1 day'], '0, 30m, 24h or 7d'],
  [['rotate', 'a', '--overlap', '9999999d'], '0, 30m, 24h or 7d'],
  [['rotate', 'a', '--overlap', '-1h'], '--overlap'],
] satisfies [string[], string][])('error: keys %j is refused with what to do', async (argv, says) => {
  const { run, data } = await setup()
  const { code, out, err } = await run(...argv)
  expect([code, out]).toEqual([2, []])
  expect(err.join('\n')).toContain(says)
  await expect(readFile(join(data, 'keys.json'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('error: a damaged file is named and left alone', async () => {
  const { run, data } = await setup()
  await mkdir(data)
  await writeFile(join(data, 'keys.json'), 'oops')
  for (const argv of [['list'], ['create', '--plan', 'free'], ['revoke', 'a'], ['rotate', 'a']])
    expect(await run(...argv)).toMatchObject({
      code: 1,
      out: [],
      err: [expect.stringContaining(join(data, 'keys.json'))],
    })
  expect(await readFile(join(data, 'keys.json'), 'utf8')).toBe('oops')
})

test('error: a data folder that is a file', async () => {
  const { run, data } = await setup()
  await writeFile(data, '')
  expect(await run('create', '--plan', 'free')).toMatchObject({
    code: 1,
    err: [expect.stringMatching(/cannot be read or written: .* is a file.*; name another folder with --data$/)],
  })
})

test.each([
  ['ENOSPC', 'no space is left on the disk; make room there, and run the command again'],
  ['EACCES', 'this user may not write or read there; run the command as the user of the service, .*'],
])('error: a disk that takes nothing (%s): what helps the service that is there, too', (code, words) => {
  const failure = Object.assign(new Error(`${code}: it failed`), { code })
  expect(explained(failure).message).toMatch(new RegExp(`^the keys cannot be read or written: .*: ${words}$`))
})

test.each([
  [{}, ''],
  [{ data: '/srv/my data' }, ' --data "/srv/my data"'],
  [{ database: 'postgres://me:secret@db/tonrpc' }, ' --database postgres://...'],
  [{ database: 'postgres://me:secret@db/tonrpc', databaseFile: '/run/db' }, ' --database-file /run/db'],
])('a command that is advised names the same keys, and no password: %j', (place, words) => {
  const usual = { data: '.tonrpc', database: 'pglite', databaseFile: '' }
  expect(placeWords({ ...usual, ...place })).toBe(words)
})
