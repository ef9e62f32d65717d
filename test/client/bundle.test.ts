// What a page downloads: weighed, and looked into for what must not be in it.

import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type * as errors from '../../client/rpcErrors.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const LIMIT = 10_000

async function bundle(entry: string, external: readonly string[] = []) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    external: [...external],
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    outdir: 'out',
  })
  const text = outputFiles.map((file) => file.text).join('')
  const outputs = Object.values(metafile.outputs)
  return {
    text,
    gzip: gzipSync(text).length,
    files: Object.keys(metafile.inputs),
    imports: outputs.flatMap(({ imports }) => imports.map(({ path }) => path)),
    exports: outputs.flatMap((output) => output.exports),
  }
}

describe.each(['client/index.ts', 'client/ws.ts'])('%s', (entry) => {
  test('is under 10 kB', async () => {
    const { text, gzip } = await bundle(entry)
    process.stdout.write(`${entry}: ${gzip} bytes gzip, ${text.length} minified\n`)
    expect(gzip).toBeLessThan(LIMIT)
  })

  test('is made of the client and the table of errors alone', async () => {
    const { files, imports } = await bundle(entry)
    expect(imports).toEqual([])
    expect(files.filter((file) => !file.startsWith('client/'))).toEqual(['shared/errors.ts'])
  })

  test('holds no schema, nothing of the server, nothing of Node', async () => {
    const { text } = await bundle(entry)
    for (const word of ['zod', '_zod', 'safeParse', 'ApiError', 'detectAddress', 'require(', 'process.', 'Buffer']) {
      expect(text).not.toContain(word)
    }
  })
})

test('errors have their own names in stacks', async () => {
  const { outputFiles } = await build({
    entryPoints: [`${root}client/rpcErrors.ts`],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  const source = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  const { RpcError, TimeoutError, TransportError }: typeof errors = await import(/* @vite-ignore */ source)
  expect([RpcError, TimeoutError, TransportError].map(({ name }) => name)).toEqual([
    'RpcError',
    'TimeoutError',
    'TransportError',
  ])
})

test('the socket is an entry of its own', async () => {
  expect((await bundle('client/index.ts')).text).not.toContain('WebSocket')
  expect((await bundle('client/ws.ts')).exports).toEqual(['stream', 'webSocketTransport'])
})

describe('client/ton/index.ts', () => {
  const CORE = '@ton/core'

  test('is under 10 kB without the @ton/core of the page', async () => {
    const { text, gzip, files, imports } = await bundle('client/ton/index.ts', [CORE])
    process.stdout.write(`client/ton/index.ts: ${gzip} bytes gzip, ${text.length} minified\n`)
    expect(gzip).toBeLessThan(LIMIT)
    expect([...new Set(imports)]).toEqual([CORE])
    expect(files.filter((file) => !file.startsWith('client/ton/'))).toEqual([])
  })

  test('builds for a page with all it takes from @ton/core', async () => {
    const { imports, exports } = await bundle('client/ton/index.ts')
    expect(imports).toEqual([])
    expect(exports.sort()).toEqual(['createTon', 'tonConnectSender', 'walletSender'])
  })
})
