// `tonrpc doctor` where clocks and the times of blocks are wrong: of a server, of this machine, of the chain.

import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LiteServer } from '../../../../server/node/index.ts'
import { openDoctorScene } from './doctorScene.ts'

const { scene, listen, examine, close } = await openDoctorScene()
afterAll(() => close())

describe('doctor', () => {
  test('behavior: the clock of this machine is a day off', async () => {
    const real = Date.now
    const onTime: LiteServer = {
      ...scene.lite,
      masterchainInfo: async () => ({ ...(await scene.lite.masterchainInfo()), now: Math.floor(real() / 1000) }),
    }
    const servers = [await listen(onTime), await listen(onTime)]
    for (const [by, words] of [
      [86_400_000, 'ahead of'],
      [-86_400_000, 'behind'],
    ] as const) {
      const shifted = vi.spyOn(Date, 'now').mockImplementation(() => real() + by)
      try {
        const { out, code } = await examine(servers)
        expect(code).toBe(0)
        expect(out).toMatch(new RegExp(`the clock of this machine is 86\\d\\d\\d s ${words} most servers: set it`))
        expect(out).not.toContain('the network stands')
        // Not of each server again.
        expect(out).not.toContain('set the clock by')
        const alone = (await examine(servers.slice(0, 1))).out
        expect(alone).toMatch(
          /clock: [+-]86\d\d\d s; set the clock by a time server: that of the server, or that of this/,
        )
        expect(alone).not.toContain('the network stands')
      } finally {
        shifted.mockRestore()
      }
    }
  })

  test('behavior: of two clocks that differ, neither is that of most servers', async () => {
    const good = await listen(scene.lite)
    const ahead = await listen({
      ...scene.lite,
      masterchainInfo: async () => {
        const info = await scene.lite.masterchainInfo()
        return { ...info, now: info.now + 3600 }
      },
    })
    const { out } = await examine([good, ahead])
    expect(out).toMatch(new RegExp(`127\\.0\\.0\\.1:${ahead.port}: clock: \\+\\d+ s; set the clock`))
    expect(out).not.toContain('most servers')
  })

  test('behavior: a server that proves an old block and has no newer one', async () => {
    const old: LiteServer = {
      ...scene.lite,
      masterchainInfo: async () => {
        const info = await scene.lite.masterchainInfo()
        return { ...info, lastUtime: info.now - 3600 }
      },
    }
    const frozen = await listen(old)
    const good = await listen(scene.lite)
    expect((await examine([frozen])).out).toMatch(
      /the newest block is 36\d\d s old: the network stands, or none of these/,
    )
    expect((await examine([frozen, good])).out).not.toContain('the network stands')
  })

  test('behavior: a chain whose newest block is an hour ahead of all clocks', async () => {
    const early = (await scene.lite.masterchainInfo()).lastUtime - 3_600
    const info = async () => ({ ...(await scene.lite.masterchainInfo()), now: early })
    const now = vi.spyOn(Date, 'now').mockReturnValue(early * 1_000)
    onTestFinished(() => now.mockRestore())
    const { out, code } = await examine([await listen({ ...scene.lite, masterchainInfo: info })])
    expect(code).toBe(0)
    expect(out).toContain('the newest block was made 3600 s in the future: the time of that chain was moved, or')
  })

  test('behavior: a server that calls its newest block newer than it is', async () => {
    const info = await scene.lite.masterchainInfo()
    const young = await listen({ ...scene.lite, masterchainInfo: async () => ({ ...info, lastUtime: info.now + 60 }) })
    const { code, out } = await examine([young])
    expect(code).toBe(1)
    expect(out).toMatch(/proof: its newest block was made \d+ s earlier than it says; do not use it/)
  })
})
