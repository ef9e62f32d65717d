import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../../server/process/shellWord.ts'

describe('a word of a printed command line', () => {
  test.each(['/var/lib/tonrpc', '.tonrpc', '/home/müller/копия', 'postgres://host/name'])('%s is as it is', (word) =>
    expect(shellWord(word)).toBe(word),
  )

  test
    .runIf(process.platform !== 'win32')
    .each(['/home/a b/copy', 'with "quotes" and \\', "it's", '$HOME/`id`', 'a;b&c', ''])(
    '%j is what a shell makes of it',
    (word) => {
      const command = `printf %s ${shellWord(word)}`
      expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(word)
    },
  )
})
