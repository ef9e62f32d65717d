// What an operator sees of a build of the emulator that is not known: in the log, in /readyz and in /metrics.

import { expect, test } from 'vitest'
import type { ChainService } from '../../../../server/app/chain/chainService.ts'
import type { Log } from '../../../../server/observe/index.ts'
import { createTvmPool, preparePlain, prepareTvm } from '../../../../server/tvm/index.ts'
import { chainRegistry } from '../../../../shared/registry.ts'
import { createRefusingChain } from '../../../setup/refusingChain.ts'
import { serveMethods } from '../../../setup/service.ts'

const chainless: Omit<ChainService, 'pool'> = {
  chain: createRefusingChain(() => new Error('there is no chain')),
  controlled: null,
  demo: null,
  lite: null,
  forWorkers: null,
  touch: () => undefined,
  readiness: () => ({ ready: true, words: '' }),
  close: () => Promise.resolve(),
}

async function seen(reason: string | null) {
  const pool = await createTvmPool({ code: reason === null ? await prepareTvm() : await preparePlain(reason) })
  const warnings: string[] = []
  const note = (facts: unknown, text: string) => void warnings.push(`${text}: ${(facts as { reason: string }).reason}`)
  const log = new Proxy({} as Log, { get: (_, level) => (level === 'warn' ? note : () => undefined) })
  const registry = { 'rpc.discover': chainRegistry['rpc.discover'] }
  await using service = await serveMethods(
    {
      registry,
      chain: { ...chainless, pool },
      handlers: (docs) => ({ 'rpc.discover': () => docs.openrpc as never }),
    },
    { log },
  )
  const ready = (await (await fetch(`${service.url}/readyz`)).json()) as { checks: { tvm?: string } }
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  await pool.close()
  return { warnings, check: ready.checks.tvm, quick: /^tonrpc_tvm_quick (\d)$/m.exec(metrics)?.[1] }
}

test('an unknown build is reported, a known one is not', async () => {
  const reason = 'unknown emulator binary 1234'
  expect(await seen(reason)).toEqual({
    warnings: [`TVM loaded the slow way: runs take some five times as long: ${reason}`],
    check: `slow: ${reason}`,
    quick: '0',
  })
  expect(await seen(null)).toEqual({ warnings: [], check: undefined, quick: '1' })
})
