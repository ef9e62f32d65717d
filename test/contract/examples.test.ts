// Every method's example through every door it has: one method, one answer.

import { versionOfName } from '../../shared/method.ts'
import type { MethodSpec } from '../../shared/registry.ts'
import { registry } from '../../shared/registry.ts'
import { addressesV2 } from '../../shared/v2/addresses.ts'
import { playExamples } from '../setup/examples.ts'
import { forAllTests, serve } from '../setup/service.ts'

// No block comes between two answers that are compared.
const service = forAllTests(() => serve({ config: { mining: 'manual' } }))
/** Methods whose examples need more than a new chain has, and why. */
const NEEDS_MORE: Readonly<Record<string, string>> = {
  getTokenData: 'no token was deployed yet',
  dnsResolve: 'no resolver was deployed yet',
  tryLocateTx: 'no message was sent yet',
  tryLocateResultTx: 'no message was sent yet',
  tryLocateSourceTx: 'no message was sent yet',
}
// What changes the chain by hand has tests of its own, and so has what is read out of the index.
const methods: [string, MethodSpec][] = Object.entries(registry).filter(
  ([name, spec]: [string, MethodSpec]) =>
    !spec.control && versionOfName(name) === 'v2' && !Object.hasOwn(NEEDS_MORE, name),
)

// What is computed, not read off a chain, has one right answer.
playExamples(service, Object.fromEntries(methods), addressesV2)
