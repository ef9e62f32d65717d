import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eachStop } from '../../../server/process/index.ts'
import { spoke, startChild } from '../../setup/children.ts'

test('signals within 250 ms of the first are one', () => {
  const times = [0, 1, 249, 250, 499, 500]
  const counted: number[] = []
  let now = 0
  const listener = eachStop<number>(
    (time) => counted.push(time),
    () => now,
  )
  for (now of times) listener(now)
  expect(counted).toEqual([0, 250, 500])
})

test.skipIf(process.platform === 'win32')(
  'a command is stopped by the first signal, and ended by a later one, not by one that comes with the first',
  async () => {
    const child = startChild(
      `
const { stopOnce } = await import(built + 'process/index.js')
const times = [0, 1, 250]
stopOnce(() => console.log('stop'), () => {
  const time = times.shift()
  console.log('at ' + time)
  return time
})
setInterval(() => undefined, 1_000)
console.log('on')`,
      [],
    )
    await spoke(child)
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await expect.poll(() => said).toBe('at 0\nstop\n')
    child.kill('SIGINT')
    await expect.poll(() => said).toBe('at 0\nstop\nat 1\n')
    child.kill('SIGINT')
    expect(await ended).toEqual([null, 'SIGINT'])
  },
)
