// A command whose output cannot be written fails: it may be a new key, which is printed only once.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mainFile, run } from '../../setup/runningService.ts'

// A device that is always full.
describe.runIf(process.platform === 'linux')('a command whose output is written to', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tonrpc-full-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function createKey(into: string) {
    const line = `"$0" "$1" keys create --plan free --data "$2" ${into}`
    await using command = run('bash', ['-c', `set -o pipefail; ${line}`, process.execPath, mainFile, folder])
    const { code } = await command.ended
    return { code, err: command.stderr() }
  }

  test('a full disk fails, and says that it has run', async () => {
    expect(await createKey('> /dev/full')).toEqual({
      code: 1,
      err: 'tonrpc: the command has run, but what it prints was not written: no space is left on the disk\n',
    })
  })

  test('a reader that has gone does not', async () => {
    expect(await createKey('| true')).toEqual({ code: 0, err: '' })
  })
})
