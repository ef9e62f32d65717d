import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { slimConfig } from '@ton/sandbox/dist/config/slimConfig.js'
import { expect, test } from 'vitest'
import { workerEntry } from '../../../server/process/workerEntry.ts'

test('default: the file next to the caller, with the same ending', () => {
  expect(workerEntry('file:///app/.build/server/room/pool.js', 'worker').href).toBe(
    'file:///app/.build/server/room/worker.js',
  )
})

test('behavior: sources go through the loader', () => {
  const { protocol, pathname } = workerEntry(import.meta.url, 'worker')
  expect(protocol).toBe('data:')
  expect(decodeURIComponent(pathname)).toContain(new URL('./worker.ts', import.meta.url).href)
})

test('the compiled pool answers under plain Node', () => {
  const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
  const door = pathToFileURL(join(root, '.build/server/tvm/index.js')).href
  const script = `
    import { createConfig, createTvmPool } from ${JSON.stringify(door)}
    const pool = await createTvmPool()
    const { gasUsed } = await pool.runGetMethod(createConfig(${JSON.stringify(slimConfig)}), {
      code: 'te6ccgEBAQEABgAACP8AgE0=', data: 'te6ccgEBAQEAAgAAAA==', stack: 'te6ccgEBAQEABQAABgAAAA==',
      methodId: 0, address: '0:${'11'.repeat(32)}', balance: 1n, now: 1700000000,
    })
    await pool.close()
    process.stdout.write(String(gasUsed))`
  const node = ['--input-type=module', '-e', script]
  expect(execFileSync(process.execPath, node, { cwd: root, encoding: 'utf8' })).toBe('57')
})
