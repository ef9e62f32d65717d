import { expect, test } from 'vitest'
import { blueprintLine, blueprintTo } from '../../../client/explorer/home/connectionLines.ts'

test.each(['v3r2', 'v4r2', 'v5r1'])('a wallet %s is opened by the line of the first page', (kind) => {
  const line = blueprintLine({ kind, mnemonic: 'caution open achieve' }, 'http://localhost:8081')
  expect(line).toBe(
    `WALLET_MNEMONIC="caution open achieve" WALLET_VERSION=${kind} ${blueprintTo('http://localhost:8081')} --mnemonic`,
  )
  expect(line).toContain('--custom-type testnet')
})

test('what Blueprint does not know has no line', () => {
  expect(blueprintLine({ kind: 'faucet', mnemonic: '' }, 'http://localhost:8081')).toBeNull()
})
