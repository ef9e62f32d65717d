// The pool over real connections: a lite server of the embedded chain behind a socket, which stops and comes back.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AdnlListener, createAdnlListener } from '../../../server/node/adnl/index.ts'
import {
  answerLiteQuery,
  connectLiteServer,
  createRemoteChain,
  createServerPool,
  MASTERCHAIN,
  type ServerAddress,
} from '../../../server/node/index.ts'
import { freePort } from '../../setup/freePort.ts'
import { type LiteScene, openScene } from '../devchain/lite/liteScene.ts'

let scene: LiteScene
let listener: AdnlListener
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
  listener = await listen(await freePort())
})
afterAll(async () => {
  await listener.close()
  await scene.close()
})

const listen = (port: number): Promise<AdnlListener> =>
  createAdnlListener({
    host: '127.0.0.1',
    port,
    seed: new Uint8Array(32).fill(5),
    onQuery: (query) => answerLiteQuery(scene.lite, query),
  })

const address = (key: Uint8Array = listener.key): ServerAddress => ({
  name: 'own',
  host: '127.0.0.1',
  port: listener.port,
  key,
  slices: null,
})
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

test('behavior: a chain is read and followed, also after the server was away', async () => {
  const lost: unknown[] = []
  const log = { ...quiet, warn: ({ reason }: { readonly reason?: unknown }) => void lost.push(reason) }
  const pool = createServerPool({ servers: [address()], connect: connectLiteServer, log })
  try {
    // On a busy machine the first hello may take more than its three seconds; the pool then tries again.
    await vi.waitFor(async () => expect(await pool.ready(300_000)).toBe(true), 300_000)
    const chain = createRemoteChain(pool)
    const blocks = scene.blocks(MASTERCHAIN)
    expect((await chain.head()).id).toEqual(blocks.at(-1))
    const heads: number[] = []
    chain.onHead((report) => {
      if (report.kind === 'head') heads.push(report.id.seqno)
    })
    await scene.chain.control.mine(1)
    await vi.waitFor(() => expect(heads).toContain(blocks.length + 1), 300_000)
    const { port } = listener
    lost.length = 0
    await listener.close()
    await vi.waitFor(() => expect(pool.servers[0]?.state).toBe('away'), 300_000)
    // By now the next connection may have been tried, and been refused.
    expect(lost).toEqual([expect.stringMatching(/connection/)])
    listener = await listen(port)
    await scene.chain.control.mine(1)
    await vi.waitFor(() => expect(heads).toContain(blocks.length + 2), 300_000)
    for (const id of scene.blocks(0).slice(0, 1)) expect((await chain.block(id)).id).toEqual(id)
  } finally {
    await pool.close()
  }
})

test('error: a server with another key is not used', async () => {
  const servers = [address(new Uint8Array(32).fill(7))]
  const pool = createServerPool({ servers, connect: connectLiteServer, log: quiet })
  try {
    expect(await pool.ready(60_000)).toBe(false)
    expect(pool.servers[0]?.reason).toMatch(/key/)
  } finally {
    await pool.close()
  }
})
