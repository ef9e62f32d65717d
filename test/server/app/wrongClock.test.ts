import { expect, onTestFinished, test, vi } from 'vitest'
import { openEmbeddedChain } from '../../../server/app/chain/chainService.ts'
import { Settings } from '../../../server/app/settings/settings.ts'
import { createLog } from '../../../server/observe/index.ts'
import { temporaryFolder } from '../../setup/children.ts'

test('a start with a clock that no block can have says that the clock is wrong', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2106, 2, 1))
  onTestFinished(() => now.mockRestore())
  const config = Settings.parse({ seed: 'none', data: await temporaryFolder() })
  await expect(openEmbeddedChain(config, createLog({ format: 'json', level: 'silent' }))).rejects.toThrow(
    'the clock of this machine is wrong: it says 2106-03-01T00:00:00.000Z; set it',
  )
})
