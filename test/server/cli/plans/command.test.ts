// Plans of a service without a shared database; those of one with it are in app/sharedKeys.test.ts.

import { describe, expect, test } from 'vitest'
import { plansCommand } from '../../../../server/cli/plans/command.ts'
import { temporaryFolder } from '../../access/temporaryFolder.ts'

async function run(...argv: string[]) {
  const out: string[] = []
  const err: string[] = []
  const io = {
    env: { TONRPC_DATA: await temporaryFolder() },
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
  }
  return { code: await plansCommand.run(argv, io), out, err }
}

describe('list', () => {
  test('default: those of the program', async () => {
    const { code, out } = await run('list')
    expect([code, out.length]).toEqual([0, 5])
    expect(out[3]).toMatch(/^advanced +100\/s +unlimited +250 +100 +10000 +100$/)
    expect(out[4]).toMatch(/^custom +by key +unlimited +unlimited +unlimited +unlimited +1000$/)
  })

  test('args: JSON', async () => {
    const [first] = JSON.parse((await run('list', '--json')).out.join())
    expect(first).toMatchObject({ name: 'free', perSecond: 10, streamAddresses: 200 })
  })
})

test.each([
  [['create', 'gold', '--rps', '50'], 'start the service with --database'],
  [['change', 'free', '--webhooks', '9'], 'start the service with --database'],
  [['remove', 'free'], 'start the service with --database'],
  [['change', 'free'], 'nothing to change: name a limit, such as --rps 50'],
  [['create', '--rps', '50'], 'plans create needs'],
  [['create', 'gold'], '--rps'],
  [['create', 'gold', '--rps', '-5'], '--rps'],
  [['create', 'gold', '--rps', 'NaN'], '1 to 1000000'],
  [['create', 'gold', '--rps', '1000001'], '1 to 1000000'],
  [['change', 'free', '--connections', '0'], 'unlimited or a whole number from 1 to 1000000'],
  [['change', 'free', '--monthly', '9007199254740993'], 'unlimited or a whole number from 1 to 9007199254740991'],
  [['change', 'free', '--stream-addresses', 'Infinity'], 'unlimited or a whole number from 0 to 1000000'],
  [['change', 'free', '--webhooks', '1001'], '0 to 1000'],
])('error: plans %j is refused with what to do', async (argv, says) => {
  const { code, out, err } = await run(...argv)
  expect([code, out]).toEqual([2, []])
  expect(err.join('\n')).toContain(says)
})
