import { defaultConfig } from '@ton/sandbox'
import { expect, test } from 'vitest'
import { readBoc } from '../../../server/cell/index.ts'
import { createConfig, preparedConfig } from '../../../server/tvm/index.ts'

const bag = Buffer.from(defaultConfig, 'base64')

test('default: equal configurations are prepared once, whichever state they are read from', () => {
  const prepared = preparedConfig(readBoc(bag))
  expect(preparedConfig(readBoc(bag))).toBe(prepared)
  expect(prepared.trimmed).toBe(createConfig(bag).trimmed)
})
