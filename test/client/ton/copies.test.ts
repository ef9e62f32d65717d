// Two copies of the client in one program, as when a page and a library of it are bundled apart.

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import type * as following from '../../../client/ton/following.ts'

const file = fileURLToPath(new URL('../../../client/ton/following.ts', import.meta.url))

async function bundled(copy: number): Promise<typeof following> {
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: 'esm', write: false })
  const source = `data:text/javascript,${encodeURIComponent(`${outputFiles[0]?.text ?? ''}// ${copy}`)}`
  return import(/* @vite-ignore */ source)
}

test('behavior: what a sender of one copy sends is followed by a wrapper of the other', async () => {
  const boc = 'te6ccgEBAQEAAgAAAA=='
  const client = createClient({ transport: () => new Promise<never>(() => {}) })
  const one = await bundled(1)
  const other = await bundled(2)
  const sending = one.follow(client, Promise.resolve(), [boc])
  expect(other.follow).not.toBe(one.follow)
  expect(other.bocsOf(sending)).toEqual([boc])
})
