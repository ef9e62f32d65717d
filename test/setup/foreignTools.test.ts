import { expect, test } from 'vitest'
import { exitOf, spoke, startChild, temporaryFolder } from './children.ts'
import { takeTurn } from './foreignTools.ts'

const HOLDER = `
  const { lockFolder } = await import(built + 'process/index.js')
  await lockFolder(process.argv[1])
  console.log('held')
  setInterval(() => {}, 1_000)
`

test('a turn is waited for while its holder runs, and taken over when it was killed', async () => {
  const folder = await temporaryFolder()
  const child = startChild(HOLDER, [folder])
  await spoke(child)
  const taken = takeTurn(folder)
  const first = await Promise.race([taken.then(() => 'taken'), new Promise((resolve) => setTimeout(resolve, 1_000))])
  expect(first).toBeUndefined()
  child.kill('SIGKILL')
  await exitOf(child)
  await (await taken).release()
})
