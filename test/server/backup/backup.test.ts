// Copies of folders and their way back, with all that can be wrong about a copy.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import http, { Agent, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { COPY_LINES } from '../../../server/backup/backupListener.ts'
import {
  BackupFault,
  copyLive,
  listenForBackups,
  makeBackup,
  requestCopy,
  restoreBackup,
} from '../../../server/backup/index.ts'
import { isRestoreCut } from '../../../server/backup/noDataFolder.ts'
import { temporaryFolder } from '../../setup/children.ts'

const forever = new AbortController().signal
const FACTS = { program: '1.2.3', network: 'devnet' }

async function writeTree(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const pairs = files.sort().map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(pairs))
}

async function listening(data: string, hosts: readonly string[]) {
  const listener = await listenForBackups(data, () => Promise.resolve('copied'), hosts)
  return { [Symbol.asyncDispose]: () => listener.close() }
}

const FILES = { a: 'one', 'sub/b': 'two', 'sub/deep/c': '' }

async function backedUp(files: Readonly<Record<string, string>> = FILES) {
  const top = await temporaryFolder()
  const from = join(top, 'from')
  const to = join(top, 'copy')
  const data = join(top, 'data')
  await writeTree(from, files)
  await mkdir(join(from, 'empty'))
  const make = (signal = forever) =>
    makeBackup((draft) => ({ folder: from, facts: FACTS, parts: [{ name: 'all', from, to: draft }] }), {
      to,
      signal,
      onProgress: () => undefined,
    })
  await make()
  return { top, from, to, data, make }
}

/** Writes a list with the right sum: a liar can do that too. */
async function rewriteManifest(to: string, change: (contents: Record<string, unknown>) => unknown): Promise<void> {
  const path = join(to, 'manifest.json')
  const { contents } = JSON.parse(await readFile(path, 'utf8')) as { contents: Record<string, unknown> }
  const changed = change(contents)
  const sum = createHash('sha256').update(JSON.stringify(changed)).digest('hex')
  await writeFile(path, JSON.stringify({ sum, contents: changed }))
}

describe('a backup', () => {
  test('comes back as it was, with empty folders', async () => {
    const { to, data } = await backedUp()
    const manifest = await restoreBackup(to, data)
    expect(manifest).toMatchObject({ ...FACTS, files: [{ path: 'a' }, { path: 'sub/b' }, { path: 'sub/deep/c' }] })
    expect(await readTree(data)).toEqual(FILES)
    expect(await readdir(join(data, 'empty'))).toEqual([])
    expect(isRestoreCut(data)).toBe(false)
  })

  test('has the file that a link leads to, and nothing of links to nothing', async () => {
    const { top, from, to, data, make } = await backedUp()
    await rm(to, { recursive: true })
    await writeTree(join(top, 'elsewhere'), { keys: 'of callers' })
    await symlink(join(top, 'elsewhere/keys'), join(from, 'keys.json'))
    await symlink(join(top, 'nowhere'), join(from, 'lost'))
    await symlink('circle', join(from, 'circle'))
    await make()
    await restoreBackup(to, data)
    expect(await readTree(data)).toEqual({ ...FILES, 'keys.json': 'of callers' })
  })

  test('is not made over another one', async () => {
    const { make } = await backedUp()
    await expect(make()).rejects.toThrow(/copy is not empty: name a new folder$/)
  })

  test('that is ended leaves nothing, and one that was killed is made again', async () => {
    const { top, to, make } = await backedUp()
    await rm(to, { recursive: true })
    await expect(make(AbortSignal.abort(new Error('ended')))).rejects.toThrow('ended')
    expect(await readdir(top)).toEqual(['from'])
    await writeTree(`${to}.partial`, { left: 'over' })
    await expect(restoreBackup(`${to}.partial`, join(top, 'data'))).rejects.toThrow(/is no finished backup/)
    await make()
    expect(Object.keys(await readTree(to))).toEqual(['a', 'manifest.json', 'sub/b', 'sub/deep/c'])
    expect((await readdir(top)).sort()).toEqual(['copy', 'from'])
  })

  test('of a folder without files is none', async () => {
    const top = await temporaryFolder()
    const from = join(top, 'from')
    const to = join(top, 'copy')
    await mkdir(join(from, 'empty'), { recursive: true })
    for (const parts of [[], [{ name: 'all', from, to: `${to}.partial` }]])
      await expect(
        makeBackup(() => ({ folder: from, facts: FACTS, parts }), { to, signal: forever, onProgress: () => undefined }),
      ).rejects.toThrow(`${from} holds nothing to copy: name the data folder of the service with --data`)
    expect(await readdir(top)).toEqual(['from'])
  })

  test('into a file, or below one', async () => {
    const { top, from } = await backedUp()
    const into = (to: string) =>
      makeBackup((draft) => ({ folder: from, facts: FACTS, parts: [{ name: 'all', from, to: draft }] }), {
        to,
        signal: forever,
        onProgress: () => undefined,
      })
    await expect(into(join(from, 'a'))).rejects.toThrow(/a is a file: name a new folder$/)
    await expect(into(join(from, 'a/b'))).rejects.toThrow(/is a file/)
    await symlink(join(top, 'away'), join(top, 'link'))
    await expect(into(join(top, 'link/monday'))).rejects.toThrow(/is a file, or a link to nothing$/)
    await rm(join(top, 'link'))
    expect(await readTree(join(top, 'from'))).toEqual(FILES)
  })
})

test.each(['manifest.json', 'a'])('a copy whose %s cannot be read is named, not the folder it is for', async (name) => {
  const { to, data } = await backedUp()
  await rm(join(to, name))
  await symlink(name, join(to, name))
  await expect(restoreBackup(to, data)).rejects.toThrow(`${to}: links lead in a circle`)
  expect(existsSync(data)).toBe(false)
})

const requested = (data: string, signal: AbortSignal) =>
  requestCopy(data, { copy: 'data', to: join(data, 'copy') }, { signal, onProgress: () => undefined })

test('a command that is stopped ends the copy that a service makes for it, and says so', async () => {
  const data = await temporaryFolder()
  const stopping = new AbortController()
  const ended: unknown[] = []
  const listener = await listenForBackups(data, (_order, { signal }) => {
    stopping.abort(new Error('it was stopped'))
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        ended.push(signal.reason)
        reject(signal.reason)
      }),
    )
  })
  await expect(requested(data, stopping.signal)).rejects.toThrow('it was stopped')
  await expect.poll(() => ended).toEqual([new BackupFault('the command was ended')])
  // Also before the service has answered.
  await expect(requested(data, AbortSignal.abort(new Error('stopped before')))).rejects.toThrow('stopped before')
  await listener.close()
})

test('a service of a machine without an IPv4 loopback is reached by its IPv6 one', async () => {
  const data = await temporaryFolder()
  // The first is for documentation: no machine has it.
  await using _ = await listening(data, ['192.0.2.1', '::1'])
  expect(await requested(data, forever)).toEqual({ done: 'copied' })
  await expect(listening(data, ['192.0.2.1'])).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})

test.runIf(existsSync('/proc/self'))('into a place where no folder can be made: said, not tried for ever', async () => {
  const { from } = await backedUp()
  const order = { to: '/proc/tonrpc', signal: forever, onProgress: () => undefined }
  const made = makeBackup((draft) => ({ folder: from, facts: FACTS, parts: [{ name: 'all', from, to: draft }] }), order)
  await expect(made).rejects.toThrow('/proc/tonrpc: no folder can be made there')
})

describe('a copy that is refused', () => {
  const spoil: Readonly<Record<string, (to: string) => Promise<unknown>>> = {
    'a changed byte': (to) => writeFile(join(to, 'sub/b'), 'twp'),
    'a longer file': (to) => writeFile(join(to, 'a'), 'one more'),
    'a missing file': (to) => rm(join(to, 'sub/deep/c')),
    'a changed list': (to) => writeFile(join(to, 'manifest.json'), '{"sum":"","contents":{"format":1}}'),
    'half a list': async (to) => {
      const text = await readFile(join(to, 'manifest.json'), 'utf8')
      await writeFile(join(to, 'manifest.json'), text.slice(0, text.length / 2))
    },
    'no list': (to) => rm(join(to, 'manifest.json')),
    'a list of a newer version': (to) => rewriteManifest(to, (contents) => ({ ...contents, format: 2 })),
    'a list of files elsewhere': (to) =>
      rewriteManifest(to, (contents) => ({
        ...contents,
        files: [{ path: '../../stolen', bytes: 0, sha256: createHash('sha256').digest('hex') }],
      })),
    'a list of folders elsewhere': (to) => rewriteManifest(to, (contents) => ({ ...contents, folders: ['/etc/x'] })),
  }
  const words: Readonly<Record<string, RegExp>> = {
    'a missing file': /sub\/deep\/c is missing: use another backup$/,
    'no list': /is no finished backup: it has no manifest.json$/,
    'a list of a newer version': /made by a newer version of this program: use that version/,
    'a list of files elsewhere': /is no list of a backup/,
    'a list of folders elsewhere': /is no list of a backup/,
  }

  test.each(Object.keys(spoil))('%s: nothing is written', async (name) => {
    const { to, data } = await backedUp()
    await spoil[name]?.(to)
    await expect(restoreBackup(to, data)).rejects.toThrow(words[name] ?? /is damaged.*: use another backup$/)
    expect(existsSync(data)).toBe(false)
  })

  test('a folder that holds something is left as it is, one of a restore that was cut short is filled', async () => {
    const { to, data } = await backedUp()
    await writeTree(data, { mine: 'kept' })
    await expect(restoreBackup(to, data)).rejects.toThrow(/data is not empty: move it away/)
    expect(await readTree(data)).toEqual({ mine: 'kept' })
    await rm(data, { recursive: true })
    await writeTree(data, { a: 'one', 'restore.partial/sub/b': 'tw' })
    expect(isRestoreCut(data)).toBe(true)
    await restoreBackup(to, data)
    expect(await readTree(data)).toEqual(FILES)
  })

  test('a folder that is filled by another restore meanwhile is left to that', async () => {
    const { to, data } = await backedUp()
    const both = await Promise.allSettled([restoreBackup(to, data), restoreBackup(to, data)])
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refused).toEqual([
      expect.stringMatching(/^BackupFault: .*data is (?:in use by this very process|not empty)/),
    ])
    expect(await readTree(data)).toEqual(FILES)
  })

  test('a folder in which a service has begun meanwhile is left as it is', async () => {
    const { to, data } = await backedUp()
    await writeTree(data, { 'restore.partial/sub/b': 'tw' })
    const begin = (part: string) => {
      if (part !== 'hashes') return
      rmSync(join(data, 'restore.partial'), { recursive: true })
      writeFileSync(join(data, 'a'), 'mine')
    }
    await expect(restoreBackup(to, data, begin)).rejects.toThrow(/data is not empty: move it away/)
    expect(await readTree(data)).toEqual({ a: 'mine' })
  })
})

describe('files that are being written', () => {
  test('are copied as they are while nothing is written', async () => {
    const { top, from } = await backedUp()
    const to = join(top, 'live')
    let isStill = false
    await copyLive(
      {
        from,
        to,
        order: (names) => {
          // Before the last pass: what the first one has copied changes, goes away, and is joined by more.
          if (!isStill) return names
          return [...names].reverse()
        },
        async standstill(work) {
          await writeTree(from, { a: 'two', 'sub/new': 'more' })
          await rm(join(from, 'sub/deep'), { recursive: true })
          isStill = true
          await work()
        },
      },
      forever,
    )
    expect(isStill).toBe(true)
    expect(await readTree(to)).toEqual({ a: 'two', 'sub/b': 'two', 'sub/new': 'more' })
  })

  test('go away while they are copied', async () => {
    const { top, from } = await backedUp({ a: '1', b: '2', 'c/d': '3' })
    const to = join(top, 'live')
    const order = (names: readonly string[]) => [...names, 'never', ...names]
    await copyLive({ from, to, order, includes: (name) => name !== 'b' }, forever)
    expect(await readTree(to)).toEqual({ a: '1', 'c/d': '3' })
  })
})

test('a copy that is cut short after its first part is called stopped, or that of a service that ended', async () => {
  const data = await temporaryFolder()
  const stopping = new AbortController()
  const serving = await listenForBackups(data, (_order, { signal, onProgress }) => {
    onProgress('index')
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const control: unknown = JSON.parse(await readFile(join(data, 'control.json'), 'utf8'))
  const order = { copy: 'data', to: join(data, 'copy') } as const
  const onProgress = () => stopping.abort(new Error('it was stopped'))
  await expect(requestCopy(data, order, { signal: stopping.signal, onProgress })).rejects.toThrow('it was stopped')
  await serving.close()
  const ending = createServer((_, res) => {
    res.writeHead(200, { 'content-type': COPY_LINES }).write('{"part":"index"}\n', () => res.destroy())
  }).listen(0, '127.0.0.1')
  await once(ending, 'listening')
  onTestFinished(() => void ending.close())
  // The casts: it is an object, and the server listens on a port.
  const other = { ...(control as object), port: (ending.address() as AddressInfo).port }
  await writeFile(join(data, 'control.json'), JSON.stringify(other))
  await expect(requested(data, forever)).rejects.toThrow('the service ended before the copy was finished')
})

test('a copy is ordered from the service itself where requests of the process go through a proxy', async () => {
  const data = await temporaryFolder()
  const serving = await listenForBackups(data, () => Promise.resolve('copied'))
  onTestFinished(() => serving.close())
  const { globalAgent } = http
  onTestFinished(() => {
    http.globalAgent = globalAgent
  })
  // A proxy on another machine knows nothing of this one.
  const toProxy = { createConnection: () => connect({ host: '127.0.0.1', port: 1 }) }
  http.globalAgent = Object.assign(new Agent(), toProxy)
  expect(await requested(data, forever)).toEqual({ done: 'copied' })
})
