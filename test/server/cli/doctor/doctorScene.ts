// `tonrpc doctor` and lite servers of a small chain, over real connections.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doctorCommand } from '../../../../server/cli/doctor/command.ts'
import { type AdnlListener, createAdnlListener } from '../../../../server/node/adnl/index.ts'
import { answerLiteQuery, type LiteServer } from '../../../../server/node/index.ts'
import { openScene } from '../../devchain/lite/liteScene.ts'

export interface Listed {
  readonly port: number
  readonly key: Uint8Array
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export async function openDoctorScene() {
  const scene = await openScene({ messages: 8, seed: 3 })
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-doctor-'))
  const listeners: AdnlListener[] = []

  async function listen(server: LiteServer): Promise<AdnlListener> {
    const options = { host: '127.0.0.1', port: 0, seed: new Uint8Array(32).fill(5) }
    const listener = await createAdnlListener({ ...options, onQuery: (query) => answerLiteQuery(server, query) })
    listeners.push(listener)
    return listener
  }

  async function examineFrom(trusted: object, listed: readonly Listed[], ...flags: readonly string[]) {
    const { init } = await scene.lite.masterchainInfo()
    const file = join(folder, 'net.json')
    const zero = { workchain: -1, seqno: 0, root_hash: base64(init.rootHash), file_hash: base64(init.fileHash) }
    const liteservers = listed.map(({ port, key }) => ({ ip: 2130706433, port, id: { key: base64(key) } }))
    await writeFile(file, JSON.stringify({ liteservers, validator: { zero_state: zero, ...trusted } }))
    const out: string[] = []
    const err: string[] = []
    const io = { env: {}, out: (text: string) => out.push(text), err: (text: string) => err.push(text) }
    const code = await doctorCommand.run(['--network', 'custom', '--liteservers', file, '--data', folder, ...flags], io)
    return { code, out: out.join('\n'), err: err.join('\n') }
  }

  return {
    scene,
    folder,
    listen,
    examineFrom,
    examine: (listed: readonly Listed[], ...flags: readonly string[]) => examineFrom({}, listed, ...flags),
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()))
      await scene.close()
      await rm(folder, { recursive: true })
    },
  }
}
