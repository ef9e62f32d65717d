import { expect, onTestFinished, test, vi } from 'vitest'
import { openEmbeddedChain } from '../../../server/app/chain/chainService.ts'
import { Settings } from '../../../server/app/settings/settings.ts'
import { createLog } from '../../../server/observe/index.ts'
import { temporaryFolder } from '../../setup/children.ts'

test.each([['2106-03-01T00:00:00.000Z'], ['1969-12-31T23:59:59.000Z']])(
  'a start with a clock that no block can have says that the clock is wrong: %s',
  async (time) => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.parse(time))
    onTestFinished(() => now.mockRestore())
    const config = Settings.parse({ seed: 'none', data: await temporaryFolder() })
    await expect(openEmbeddedChain(config, createLog({ format: 'json', level: 'silent' }))).rejects.toThrow(
      `the clock of this machine is wrong: it says ${time}; set it`,
    )
  },
)
