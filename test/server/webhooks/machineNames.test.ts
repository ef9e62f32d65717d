// When a name server does not answer, names of other owners are still looked up: there are few threads for all lookups.

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MachineNames } from '../../../server/webhooks/machineNames.ts'

const FOUND = [{ address: '127.0.0.1', family: 4 }]
const { signal } = new AbortController()

/** Names that begin with `hung` are answered when a test ends them. */
function openScene() {
  const hung = new Map<string, (error: Error) => void>()
  const lookUp = (name: string): Promise<typeof FOUND> =>
    name.startsWith('hung') ? new Promise((_, reject) => hung.set(name, reject)) : Promise.resolve(FOUND)
  const names = new MachineNames(lookUp, () => 0)
  const begin = (owner: string, name: string, until = new AbortController().signal) =>
    void names.resolve(owner, name, until).catch(() => undefined)
  const turns = async () => {
    for (let i = 0; i < 20; i++) await turn()
  }
  async function end(): Promise<void> {
    const [name, reject] = [...hung][0] ?? []
    if (name === undefined || reject === undefined) throw new Error('no name hangs')
    hung.delete(name)
    reject(Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' }))
    await turns()
  }
  return { names, begin, end, turns, hung }
}

test('names that are known to be answered wait for no name that hangs, of their own key either', async () => {
  const { names, begin, turns, hung } = openScene()
  expect(await names.resolve('well', 'good', signal)).toEqual(FOUND)
  for (let i = 0; i < 50; i++) begin(`bad ${i % 5}`, `hung ${i}`)
  await turns()
  expect(hung.size).toBe(1)
  for (const owner of ['well', 'bad 0']) expect(await names.resolve(owner, 'good', signal)).toEqual(FOUND)
})

test('a name that is looked up first waits for one of another key, however many that has', async () => {
  const { names, begin, end, turns } = openScene()
  for (let i = 0; i < 50; i++) begin('bad', `hung ${i}`)
  await turns()
  let found = false
  void names.resolve('well', 'good', signal).then(() => {
    found = true
  })
  await turns()
  expect(found).toBe(false)
  await end()
  expect(found).toBe(true)
})

test('who no longer waits is not looked up; one that is looked up keeps its thread', async () => {
  const { begin, end, turns, hung } = openScene()
  const leaving = new AbortController()
  begin('bad', 'hung first', leaving.signal)
  begin('bad', 'hung second', leaving.signal)
  await turns()
  leaving.abort()
  begin('bad', 'hung third')
  await turns()
  expect([...hung.keys()]).toEqual(['hung first'])
  await end()
  expect([...hung.keys()]).toEqual(['hung third'])
})

test('a name that stops being answered is doubtful until it is answered again', async () => {
  let isAway = false
  const lookUp = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(FOUND))
  const names = new MachineNames(lookUp, () => 0)
  for (let i = 0; i < 3; i++) {
    isAway = false
    expect(await names.resolve('key', 'name', signal)).toEqual(FOUND)
    isAway = true
    await expect(names.resolve('key', 'name', signal)).rejects.toThrow('away')
  }
})
