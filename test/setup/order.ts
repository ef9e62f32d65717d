// In what order the files run: long ones first, then the other fast ones, then those with a process of their own, then the
// late ones as they are listed, also the longest first, so that no process is left with a long file when the others are done.

import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { clockFiles } from './clockFiles.ts'

/** The longest of the fast ones, by their time. Left to itself, the runner begins with the largest files. */
const LONG: readonly string[] = [
  'server/devchain/replay.test.ts',
  'server/indexer/staking/history.test.ts',
  'contract/v3balanceChanges.test.ts',
  'server/tvm/tvmPool.test.ts',
  'server/cli/move.test.ts',
  'server/node/remote/verifiedServer.test.ts',
  'server/indexer/revert.test.ts',
  'server/devchain/contracts/selection.test.ts',
  'server/cli/backup.test.ts',
  'server/store/explainSystem.test.ts',
  'contract/refusals.test.ts',
  'server/methods/lyingServer.test.ts',
  'contract/v3stakingModel.test.ts',
  'server/devchain/endless.test.ts',
  'server/app/rollingRestart.test.ts',
  'client/explorer/demoTraces.test.ts',
  'server/webhooks/kill.test.ts',
  'server/tvm/emulator.test.ts',
  'server/methods/storedTexts.test.ts',
  'server/indexer/follow.test.ts',
  'server/demo/demoRounds.test.ts',
  'server/docs/openapi.test.ts',
  'server/indexer/resilience.test.ts',
  'server/streaming/kill.test.ts',
  'contract/v3Transactions.test.ts',
  'server/app/reports/tracing.test.ts',
  'server/app/workers/workers.test.ts',
  'contract/consistency.test.ts',
  'server/sharing/sharedChain.test.ts',
  'server/store/explain.test.ts',
  'server/devchain/archive.test.ts',
]

/**
 * Tests that kill processes, change every byte of something, or start a browser, the package or programs of others:
 * files, and folders with a slash at the end.
 */
const LATE: readonly string[] = [
  'server/devchain/kill.test.ts',
  'client/explorer/pages.test.ts',
  'server/cli/main.test.ts',
  'server/docs/pages.test.ts',
  'server/indexer/kill.test.ts',
  'server/app/database/databaseFaults.test.ts',
  'server/devchain/log/fuzz.test.ts',
  'client/explorer/tools.test.ts',
  'server/store/folder.test.ts',
  'contract/overNetwork.test.ts',
  'contract/overWorkers.test.ts',
  'readme.test.ts',
  'foreign/',
  'contract/demo.test.ts',
  'server/docs/liveForms.test.ts',
  'server/docs/lateReply.test.ts',
  'server/devchain/log/kill.test.ts',
  'client/explorer/live.test.ts',
  'server/demo/interrupted.test.ts',
  'package.test.ts',
  'server/devchain/lite/tampering.test.ts',
  'client/explorer/longTrace.test.ts',
  'server/devchain/soak.test.ts',
  'clientPackage.test.ts',
  'client/browser.test.ts',
  'server/app/database/indexService.test.ts',
  'deployContainers.test.ts',
  'server/devchain/lite/senseless.test.ts',
  'server/tlb/hostile.test.ts',
]

/** As globs. */
export const lateFiles: readonly string[] = LATE.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path))

/** Behind the other fast files: a shared process ends, with all it has loaded, before a file that needs its own. */
const BEFORE_LATE = 0.5

/** Where a file stands among the others, by its path in the folder of the tests. */
export function rankOf(file: string): number {
  if (clockFiles.includes(file)) return BEFORE_LATE
  const long = LONG.indexOf(file)
  return long >= 0 ? long - LONG.length : LATE.findIndex((path) => file.startsWith(path)) + 1
}

export class Order extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const fileOf = ({ moduleId, project }: TestSpecification) =>
      relative(project.config.root, moduleId).replaceAll(sep, '/')
    const sorted = await super.sort(specs)
    return sorted.sort((a, b) => rankOf(fileOf(a)) - rankOf(fileOf(b)))
  }
}
