import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Config, Settings } from '../../../server/app/settings/settings.ts'
import { UsageError } from '../../../server/cli/commandErrors.ts'
import { start } from '../../../server/cli/commands.ts'
import { settings } from '../../../server/cli/flags.ts'
import { settingsTable } from '../../../server/cli/help.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonrpc-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A config file of this test's own. */
function file(content: unknown, name = 'own.json'): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

type Env = Record<string, string | undefined>

function started(argv: readonly string[], env: Env = {}): Config {
  const command = start.read({ argv, env })
  if (command.kind !== 'run') throw new Error(`not a start but ${command.kind}`)
  return command.values
}

/** What a person reads. */
function refused(argv: readonly string[], env: Env = {}): string {
  try {
    start.read({ argv, env })
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error(`accepted: ${argv.join(' ')}`)
}

describe('default', () => {
  test('every setting has a value, and no caller can change it', () => {
    const config = started([])
    expect(config).toEqual(Settings.parse({}))
    expect(Object.keys(config)).toEqual(settings.map(({ name }) => name))
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('the environment of other programs is none of ours', () => {
    expect(started([], { PORT: '1', TONRPCPORT: '1', NODE_ENV: 'production' }).port).toBe(8081)
  })

  test('the key that webhook commands read there does not hinder others', () => {
    expect(started([], { TONRPC_KEY: 'tonrpc_devnet_of-a-shop' }).port).toBe(8081)
  })
})

describe('order', () => {
  const path = () => file({ port: 1, host: 'file', data: 'file', limits: 'on' })

  test('flags over environment over file over defaults', () => {
    const env = { TONRPC_CONFIG: path(), TONRPC_PORT: '2', TONRPC_HOST: 'env' }
    expect(started(['--port', '3'], env)).toMatchObject({
      port: 3,
      host: 'env',
      data: 'file',
      limits: 'on',
      network: 'devnet',
    })
  })

  test('args: --config over TONRPC_CONFIG', () => {
    expect(started(['--config', path()], { TONRPC_CONFIG: join(folder, 'missing') }).port).toBe(1)
  })

  test('args: a flag given twice counts the last time', () => {
    expect(started(['--port', '1', '--port=2']).port).toBe(2)
  })

  test('a list is replaced, not added to', () => {
    const env = { TONRPC_TRUST_PROXY: '10.0.0.1', TONRPC_CONFIG: file({ corsOrigins: ['https://a.b'] }) }
    const config = started(['--trust-proxy', '10.0.0.2'], env)
    expect(config.trustProxy).toEqual(['10.0.0.2'])
    expect(config.corsOrigins).toEqual(['https://a.b'])
  })
})

describe('lists', () => {
  test.each([
    [
      ['--trust-proxy', '10.0.0.0/8,::1'],
      ['10.0.0.0/8', '::1'],
    ],
    [
      ['--trust-proxy', ' 10.0.0.1 , ,::1,'],
      ['10.0.0.1', '::1'],
    ],
    [
      ['--trust-proxy', '10.0.0.1', '--trust-proxy=10.0.0.2,::1'],
      ['10.0.0.1', '10.0.0.2', '::1'],
    ],
    [['--trust-proxy', ''], []],
  ])('args: %j', (argv, trustProxy) => {
    expect(started(argv).trustProxy).toEqual(trustProxy)
  })

  test('an empty list stands for none, not for the default', () => {
    expect(started([], { TONRPC_CORS_ORIGINS: '' }).corsOrigins).toEqual([])
    expect(started(['--config', file({ corsOrigins: [] })]).corsOrigins).toEqual([])
  })

  test('error: the wrong item is named', () => {
    expect(refused(['--trust-proxy', '10.0.0.1,nowhere'])).toBe(
      '--trust-proxy (TONRPC_TRUST_PROXY) takes items that are addresses or ranges like 10.0.0.0/8, not "nowhere"',
    )
    for (const one of ['https://a.b/', 'a.b', 'https://*.a.b'])
      expect(refused(['--cors-origins', one])).toContain(`an origin like https://example.com, not "${one}"`)
    expect(refused(['--config', file({ trustProxy: '10.0.0.1' })])).toContain('takes a list separated by commas, not')
    expect(refused(['--config', file({ trustProxy: [1] })])).toContain('not 1 in config file')
  })

  test('origins are taken, and compared as browsers send them', () => {
    const origins = ['*', 'https://A.b:443', 'http://localhost:3000', 'chrome-extension://abcdef', 'http://[::1]:80']
    const sent = origins.map((one) => one.replace(/:(443|80)$/, '').toLowerCase())
    expect(started(['--cors-origins', origins.join(',')]).corsOrigins).toEqual(sent)
  })
})

describe('error: unknown words', () => {
  test.each([
    ['--bogus', 'unknown flag --bogus: --help lists them all'],
    ['--bogus=1', 'unknown flag --bogus: --help lists them all'],
    ['--prot=1', 'unknown flag --prot, did you mean --port?: --help lists them all'],
    ['--Port=1', 'unknown flag --Port, did you mean --port?: --help lists them all'],
    ['--no-port', 'unknown flag --no-port, did you mean --port?: --help lists them all'],
    ['--logLevel=info', 'unknown flag --logLevel, did you mean --log-level?: --help lists them all'],
    ['--mininng=auto', 'unknown flag --mininng, did you mean --mining?: --help lists them all'],
    ['key', 'unexpected "key", did you mean tonrpc keys?: a start takes flags alone, --help lists them all'],
    ['-p', 'unknown flag -p: --help lists them all'],
    ['--__proto__=1', 'unknown flag --__proto__: --help lists them all'],
    ['--constructor=1', 'unknown flag --constructor: --help lists them all'],
    ['start', 'unexpected "start": leave it out; a start takes flags alone, --help lists them all'],
    ['run', 'unexpected "run": leave it out; a start takes flags alone, --help lists them all'],
    ['8081', 'unexpected "8081": a start takes flags alone, --help lists them all'],
    ['two\nlines', 'unexpected "two\\nlines": a start takes flags alone, --help lists them all'],
  ])('args: %s', (word, text) => {
    expect(refused([word])).toBe(text)
  })

  test('the environment, by name', () => {
    for (const [name, meant] of [
      ['TONRPC_PROT', 'TONRPC_PORT'],
      ['TONRPC_DATABSE', 'TONRPC_DATABASE'],
      ['TONRPC_port', 'TONRPC_PORT'],
    ])
      expect(refused([], { [name ?? '']: '1' })).toBe(
        `unknown setting ${name} in the environment, did you mean ${meant}?: --help lists them all`,
      )
    for (const name of ['TONRPC_', 'TONRPC___PROTO__', 'TONRPC_CONSTRUCTOR', 'TONRPC_KEYS']) {
      expect(refused([], { [name]: '1' })).toBe(`unknown setting ${name} in the environment: --help lists them all`)
    }
  })

  test('the config file, by name and file', () => {
    for (const [name, hint] of [
      ['prot', ', did you mean "port"?'],
      ['trust-proxy', ', did you mean "trustProxy"?'],
      ...['TONRPC_PORT', 'constructor', '__proto__', ''].map((unknown) => [unknown, '']),
    ]) {
      const path = file(`{"port": 1, ${JSON.stringify(name)}: {"host": "evil"}}`)
      expect(refused(['--config', path])).toBe(
        `unknown setting ${JSON.stringify(name)} in config file ${path}${hint}: --help lists them all, here in camelCase`,
      )
    }
    expect(Object.hasOwn(Object.prototype, 'host')).toBe(false)
  })
})

describe('error: values that do not fit', () => {
  const PORT = '--port (TONRPC_PORT) takes a whole number from 0 to 65535'
  const PUBLIC_URL =
    '--public-url (TONRPC_PUBLIC_URL) takes an address that begins with http:// or https://, without a name, a password, ? and #'
  const LIMITS = '--limits (TONRPC_LIMITS) takes auto, on or off'

  test.each([
    ['--port=abc', `${PORT}, not "abc"`],
    ['--port=', `${PORT}, not ""`],
    ['--port=99999', `${PORT}, not 99999`],
    ['--port=-1', `${PORT}, not -1`],
    ['--port=80.5', `${PORT}, not "80.5"`],
    ['--port=1e3', `${PORT}, not "1e3"`],
    ['--port=0x50', `${PORT}, not "0x50"`],
    ['--port= 80', `${PORT}, not " 80"`],
    ['--port=true', `${PORT}, not "true"`],
    ['--port=99999999999999999999', `${PORT}, not "99999999999999999999"`],
    ['--limits=maybe', `${LIMITS}, not "maybe"`],
    ['--limits=true', `${LIMITS}, not "true"`],
    ['--limits=ON', `${LIMITS}, not "ON"`],
    ['--host=', '--host (TONRPC_HOST) takes text, not ""'],
    ['--data=', '--data (TONRPC_DATA) takes text, not ""'],
    ['--batch-items=0', '--batch-items (TONRPC_BATCH_ITEMS) takes a whole number of at least 1, not 0'],
    ['--body-bytes=1', '--body-bytes (TONRPC_BODY_BYTES) takes a whole number from 1024 to 536870912, not 1'],
    ['--public-url=example.com', `${PUBLIC_URL}, not "example.com"`],
    ['--public-url=https://example.com/ton?key=1', `${PUBLIC_URL}, not "https://example.com/ton?key=1"`],
    ['--public-url=https://me:secret@example.com/a@b', `${PUBLIC_URL}, not "https://***@example.com/a@b"`],
  ])('args: %s', (word, text) => {
    expect(refused([word])).toBe(text)
  })

  test('a flag without its value, or with one too many', () => {
    const needs = '--port needs a value: a whole number from 0 to 65535'
    expect(refused(['--port'])).toBe(needs)
    expect(refused(['--port', '-1'])).toBe(needs)
    expect(refused(['--port', '--limits', 'on'])).toBe(needs)
    expect(refused(['--liteservers'])).toBe(
      '--liteservers needs a value: file|url; one that begins with a dash is written --liteservers=-x',
    )
    expect(refused(['--help=no'])).toBe('--help takes no value')
    expect(refused(['--config'])).toContain('--config needs a value; one that')
  })

  test('the environment: the same words, and where it stands', () => {
    expect(refused([], { TONRPC_PORT: '' })).toBe(`${PORT}, not "" in the environment`)
    expect(refused([], { TONRPC_LIMITS: 'maybe' })).toBe(`${LIMITS}, not "maybe" in the environment`)
  })

  test('the file: JSON types count', () => {
    const path = file({ port: '8081', limits: true, logLevel: null })
    expect(refused(['--config', path]).split('\n')).toEqual([
      `${PORT}, not "8081" in config file ${path}`,
      `${LIMITS}, not true in config file ${path}`,
      `--log-level (TONRPC_LOG_LEVEL) takes debug, info, warn, error or silent, not null in config file ${path}`,
    ])
    expect(refused(['--config', file('{"port": 1e400}')])).toContain(PORT)
    expect(refused(['--config', file({ port: { value: 1 } })])).toContain('not {"value":1} in')
  })

  test('a value that is put right by a later place is no error', () => {
    expect(started(['--port', '1'], { TONRPC_PORT: 'abc', TONRPC_CONFIG: file({ port: [] }) }).port).toBe(1)
  })

  test('a long value is cut short', () => {
    expect(refused([`--limits=${'x'.repeat(5000)}`]).length).toBeLessThan(200)
    expect(refused([`--${'x'.repeat(5000)}`]).length).toBeLessThan(200)
    expect(refused(['x'.repeat(5000)]).length).toBeLessThan(200)
  })
})

describe('config file', () => {
  test('default: tonrpc.config.json of the current folder, when it is there', () => {
    const before = process.cwd()
    try {
      process.chdir(folder)
      expect(started([]).port).toBe(8081)
      file({ port: 4 }, 'tonrpc.config.json')
      expect(started([]).port).toBe(4)
    } finally {
      process.chdir(before)
    }
  })

  test('a byte order mark is no damage', () => {
    expect(started(['--config', file('\uFEFF{"port": 5}')]).port).toBe(5)
  })

  test('error: named but missing', () => {
    const path = join(folder, 'missing.json')
    expect(refused(['--config', path])).toBe(`config file ${path} does not exist`)
    expect(refused([], { TONRPC_CONFIG: path })).toBe(`config file ${path} does not exist`)
    expect(refused(['--config='])).toBe('config file "" does not exist')
  })

  test('error: a folder', () => {
    mkdirSync(join(folder, 'sub'))
    expect(refused(['--config', join(folder, 'sub')])).toBe(`config file ${join(folder, 'sub')} is a folder`)
  })

  test('error: damaged, without repeating what stands in it', () => {
    for (const text of [
      '',
      '{"port": ',
      '{"port": 1,}',
      'secret',
      '{"data": secret}',
      '\u0000',
      '[1',
      '{"data": "secret',
    ]) {
      const path = file(text)
      const refusal = refused(['--config', path])
      expect(refusal).toContain(`config file ${path} is not JSON: `)
      expect(refusal).not.toContain('secret')
    }
  })

  test.each(['[]', 'null', '1', '"port"', 'true'])('error: %s is not an object', (text) => {
    const path = file(text)
    expect(refused(['--config', path])).toBe(`config file ${path} must hold one JSON object`)
  })
})

describe('--help and --version', () => {
  test('are seen before what is wrong elsewhere, but not before wrong flags', () => {
    for (const flag of ['--help', '-h'])
      expect(start.read({ argv: [flag], env: { TONRPC_PORT: 'x' } }).kind).toBe('help')
    for (const flag of ['--version', '-v']) expect(start.read({ argv: [flag], env: {} }).kind).toBe('version')
    expect(refused(['--help', '--bogus'])).toContain('--bogus')
  })

  test('--help lists every setting with its default and what it is for', () => {
    const lines = start.help().split('\n')
    expect(settings).toHaveLength(Object.keys(Settings.shape).length)
    for (const { flag, fallback, description, takes, kind } of settings) {
      const line = lines.find((candidate) => candidate.startsWith(`  --${flag} `)) ?? ''
      expect(description).not.toBe('')
      expect(line).toContain(description)
      expect(line).toContain(takes)
      if (fallback !== '' && kind !== 'switch')
        expect(line).toMatch(new RegExp(`\\(default ${fallback.replace(/[*.]/g, '\\$&')}\\)$`))
    }
  })

  test('the table for people says the same', () => {
    const rows = settingsTable().split('\n').slice(2)
    expect(rows).toHaveLength(settings.length)
    for (const [i, { flag, env, values }] of settings.entries()) {
      expect(rows[i]).toContain(`| \`--${flag}\` | \`${env}\` | ${values} |`)
    }
  })

  test('every flag works as flag, in the environment and in the file', () => {
    for (const { flag, env, name, fallback, kind } of settings) {
      const config = started(kind === 'switch' ? [] : [`--${flag}=${fallback}`])
      expect(config).toEqual(started([]))
      expect(started([], { [String(env)]: fallback })).toEqual(config)
      const value =
        kind === 'number'
          ? Number(fallback)
          : kind === 'switch'
            ? fallback === 'true'
            : kind === 'list'
              ? fallback.split(',').filter(Boolean)
              : fallback
      expect(started(['--config', file({ [name]: value })])).toEqual(config)
    }
  })

  test('a switch is on by its name alone', () => {
    expect(started(['--reset'])).toMatchObject({ reset: true })
    expect(started([], { TONRPC_RESET: 'on' })).toMatchObject({ reset: true })
    expect(() => started([], { TONRPC_RESET: 'perhaps' })).toThrow(/--reset .* takes true or false, not "perhaps"/)
  })

  test('a secret is refused without being shown', () => {
    expect(() => started(['--control-token', 'short and secret'.slice(0, 9)])).toThrow(/at least 16 ASCII characters/)
    for (const token of ['zwölf'.repeat(4), 'sixteen\tcharacters', ' sixteen characters', '密'.repeat(16)])
      for (const flag of ['--control-token', '--admin-token'])
        expect(() => started([`${flag}=${token}`])).toThrow(/takes a secret of at least 16 ASCII characters/)
    expect(started(['--control-token', 'sixteen characters!']).controlToken).toBe('sixteen characters!')
  })

  test.each(['0s', '1', '1x', '-1s', '25h', 'soon'])('--mining %s is no time', (text) => {
    expect(() => started([`--mining=${text}`])).toThrow(/takes auto, manual or a time like 500ms or 1s/)
  })
})

test.each(['redis://:100%@localhost', 'rediss://a%zz:b@localhost:6379/1'])(
  'error: %s has a password that cannot be decoded',
  (address) => expect(refused(['--redis', address])).toMatch(/--redis.* a % of a password is written as %25/),
)

test('error: an address of a Redis with a word alone before the @, which is no login, or with TLS in a parameter', () => {
  for (const address of [
    'redis://app@localhost',
    'rediss://secret@localhost:6379/1',
    'redis://:secret@localhost?tls=true',
  ])
    expect(refused(['--redis', address])).toMatch(/--redis.* like redis:\/\/host:6379, redis:\/\/:password@host or /)
  const taken = ['redis://a?tls=0', 'redis://:secret@[::1]:6379/1?ssl=false', 'rediss://app:secret@localhost?ssl=true']
  expect(taken.map((address) => started(['--redis', address]).redis)).toEqual(taken)
})

test('an address of a PostgreSQL may name a Unix socket and no host, as libpq takes it', () => {
  const { database } = started(['--database', 'postgres://me:se%23cret@/ton?host=/run/postgresql'])
  expect(database).toBe('postgres://me:se%23cret@localhost/ton?host=/run/postgresql')
  for (const password of ['a#b', 'a/b', 'a?b'])
    expect(refused(['--database', `postgres://me:${password}@host/ton`])).toMatch(
      / \/ # \? of a password .* %2F %23 %3F/,
    )
})

test('error: so does the address of a collector', () => {
  expect(refused(['--otlp-endpoint', 'http://me:100%@localhost:4318'])).toMatch(/--otlp-endpoint/)
})
