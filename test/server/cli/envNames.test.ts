// Names of settings in the environment that other programs read, too.

import { expect, test } from 'vitest'
import { start } from '../../../server/cli/commands.ts'

const STANDARD = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const OWN = 'TONRPC_OTLP_ENDPOINT'
const WITHOUT_SCHEME = 'collector:4318'

test.each([
  [{ [STANDARD]: WITHOUT_SCHEME }, STANDARD],
  [{ [OWN]: WITHOUT_SCHEME }, OWN],
  [{ [OWN]: WITHOUT_SCHEME, [STANDARD]: 'http://collector:4318' }, OWN],
])('of %j, %s is refused by that name', (env, name) => {
  expect(() => start.read({ argv: [], env })).toThrow(
    `--otlp-endpoint (${name}) takes an address that begins with http:// or https:// in the environment`,
  )
})

test('the own name is over the standard one, and a flag over both', () => {
  const otlpOf = (argv: readonly string[], env: Readonly<Record<string, string>>): string => {
    const read = start.read({ argv, env })
    return read.kind === 'run' ? read.values.otlpEndpoint : read.kind
  }
  const env = { [STANDARD]: 'http://standard:4318', [OWN]: 'http://own:4318' }
  expect(otlpOf([], { [STANDARD]: env[STANDARD] })).toBe('http://standard:4318')
  expect(otlpOf([], env)).toBe('http://own:4318')
  expect(otlpOf(['--otlp-endpoint', 'http://flag:4318'], env)).toBe('http://flag:4318')
})
