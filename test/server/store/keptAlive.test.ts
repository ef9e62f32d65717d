import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { openMemoryStore } from '../../setup/memoryStore.ts'

/** Opens a database within something that nobody needs afterwards. */
function opener() {
  const scene = { large: new Uint8Array(1_000_000) }
  const open = async () => {
    const database = await openMemoryStore()
    if (scene.large.length === 0) throw new Error('nothing was opened')
    return database
  }
  return { opened: open(), scene: new WeakRef(scene) }
}

test('an open database keeps nothing alive of those who opened it', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { scene, opened } = opener()
  const database = await opened
  onTestFinished(() => database.close())
  await new Promise((resolve) => setTimeout(resolve, 10))
  collect()
  expect(scene.deref()).toBeUndefined()
})
